extension InjectorError {
  /// A registration that has ended, which an error mentions if its service is requested again.
  public struct PreviousRegistration: Sendable, Hashable {
    /// Where the service was registered.
    public let registeredAt: CodeLocation

    /// Whether the registration ended because the owner of a ``Registered`` property was released.
    public let ownerWasReleased: Bool
  }

  /// A registered service, suggested instead of a missing one.
  public struct Suggestion: Sendable, Hashable {
    /// The name of the service, with its tag.
    public let name: String

    /// Where the service is registered.
    public let registeredAt: CodeLocation
  }
}

extension InjectorError {
  /// The former name of ``contextMismatch(_:expected:found:)``.
  @available(*, deprecated, renamed: "contextMismatch(_:expected:found:)")
  public static func invalidType(_ facts: Facts, expected: String, found: String) -> Self {
    .contextMismatch(facts, expected: expected, found: found)
  }
}
