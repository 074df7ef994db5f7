public import PlugFlags

/// What a program tells a client of OpenFeature about a user, such as a purchase.
public struct TrackingEvent: Hashable, Sendable {
  /// The name of the event.
  public let key: String

  /// The number that belongs to the event, such as a price.
  public let value: Double?

  /// The other details.
  public let details: [String: FlagValue]

  /// The context of the client, and of the call.
  public let context: FlagAttributes

  /// Creates an event.
  public init(
    _ key: String, value: Double? = nil, details: [String: FlagValue] = [:], in context: FlagAttributes
  ) {
    (self.key, self.value, self.details, self.context) = (key, value, details, context)
  }
}
