extension InjectorError {
  /// A registration that has ended.
  public struct PreviousRegistration: Sendable, Hashable {
    /// Where the service had been registered.
    public let registeredAt: CodeLocation

    /// Whether it ended because the owner of a ``Registered`` property was released.
    public let ownerWasReleased: Bool
  }

  /// A registered service, suggested in place of a missing one.
  public struct Suggestion: Sendable, Hashable {
    /// The service's name, with its tag.
    public let name: String

    /// Where it is registered.
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
