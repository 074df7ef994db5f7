extension InjectorError {
  /// A registration that has ended.
  public struct Departure: Sendable, Hashable {
    /// Where the service had been registered.
    public let registeredAt: CodeLocation

    /// Whether it ended because the owner of a ``Registered`` property was released.
    public let ownerWasReleased: Bool
  }

  /// A registered service, suggested in place of a missing one.
  public struct Neighbor: Sendable, Hashable {
    /// The service's name, with its tag.
    public let name: String

    /// Where it is registered.
    public let registeredAt: CodeLocation
  }
}
