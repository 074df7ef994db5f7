public import Foundation
public import Plug
public import PlugKeys

/// A feature that returns the current time, with a constant form for tests.
///
/// ```swift
/// let seconds = services.timestamp.now
/// services.timestamp = .constant(0)
/// ```
public struct Timestamp: Feature {
  private let seconds: @Sendable () -> Double

  /// Creates a clock of your own.
  ///
  /// - Parameter seconds: Returns the seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public init(_ seconds: @escaping @Sendable () -> Double) {
    self.seconds = seconds
  }

  /// The seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public var now: Double { seconds() }

  /// The current time as a date.
  public var date: Date { Date(timeIntervalSince1970: now) }

  /// The system's clock.
  public static let system = Timestamp { Date().timeIntervalSince1970 }

  /// A clock with a constant time.
  ///
  /// - Parameter seconds: The seconds since 1970-01-01T00:00:00Z.
  public static func constant(_ seconds: Double) -> Timestamp { Timestamp { seconds } }

  /// Returns the system's clock.
  public static func load(in injector: Injector) -> Timestamp { .system }
}

extension Injector {
  /// The source of the current time, by default the system's clock.
  public var timestamp: Timestamp {
    get { self[Timestamp.self] }
    set { self[Timestamp.self] = newValue }
  }
}
