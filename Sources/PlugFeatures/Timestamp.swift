public import Foundation
public import Plug

/// The current time.
///
/// ```swift
/// services.timestamp.now
/// services.timestamp = .constant(0)
/// ```
public struct Timestamp: Feature {
  private let seconds: @Sendable () -> Double

  /// Creates a time of your own.
  ///
  /// - Parameter seconds: Gives the seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public init(_ seconds: @escaping @Sendable () -> Double) {
    self.seconds = seconds
  }

  /// The seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public var now: Double { seconds() }

  /// The same as a date.
  public var date: Date { Date(timeIntervalSince1970: now) }

  /// The time of the system's clock.
  public static let system = Timestamp { Date().timeIntervalSince1970 }

  /// A time that stands still.
  ///
  /// - Parameter seconds: The seconds since 1970-01-01T00:00:00Z.
  public static func constant(_ seconds: Double) -> Timestamp { Timestamp { seconds } }

  /// The time of the system's clock.
  public static func load(in injector: Injector) -> Timestamp { .system }
}

extension Injector {
  /// The current time.
  public var timestamp: Timestamp {
    get { self[Timestamp.self] }
    set { self[Timestamp.self] = newValue }
  }
}
