public import Foundation
public import Plug
public import PlugKeys
import Synchronization

/// A feature that generates universally unique identifiers, with predictable forms for tests.
///
/// ```swift
/// let order = Order(id: services.uuids.next())
///
/// services.uuids = .sequential()  // …0001, …0002, …
/// ```
public struct UUIDs: Feature {
  private let make: @Sendable () -> UUID

  /// Creates a source of your own.
  ///
  /// - Parameter make: Returns the next identifier. It may run on several threads at the same time.
  public init(_ make: @escaping @Sendable () -> UUID) {
    self.make = make
  }

  /// Returns the next identifier.
  public func next() -> UUID { make() }

  /// Random identifiers: version 4 of RFC 9562.
  public static let system = UUIDs { UUID() }

  /// Identifiers that count upwards in their last eight bytes, for tests.
  ///
  /// The first one is `00000000-0000-0000-0000-000000000001`. Copies share the counter.
  public static func sequential() -> UUIDs {
    let last = Sequence()
    return UUIDs { last.next() }
  }

  /// Returns the same identifier each time.
  ///
  /// - Parameter uuid: The identifier.
  public static func constant(_ uuid: UUID) -> UUIDs { UUIDs { uuid } }

  /// Returns random identifiers.
  public static func load(in injector: Injector) -> UUIDs { .system }
}

extension Injector {
  /// The source of universally unique identifiers, by default random ones.
  public var uuids: UUIDs {
    get { self[UUIDs.self] }
    set { self[UUIDs.self] = newValue }
  }
}

private final class Sequence: Sendable {
  private let last = Atomic<UInt64>(0)

  func next() -> UUID {
    let number = last.wrappingAdd(1, ordering: .relaxed).newValue
    let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
      ))
  }
}
