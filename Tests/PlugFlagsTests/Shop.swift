import Plug
import PlugFlags
import PlugKeys
import Synchronization
import TestSupport

protocol Checkout: Sendable {}
struct OneClick: Checkout, Equatable {}
struct Express: Checkout, Equatable {}
struct Classic: Checkout, Equatable {}

struct Buyer: ListedFlagContext {
  var id = "p-17"
  var country = "DE"
  var age = 42

  static let flagAttributes = FlagAttributeList<Buyer>(
    targetingKey: \.id, [.init("country", \.country), .init("age", \.age)])
}

/// A document with flags, each given as its members.
func flags(_ flags: KeyValuePairs<String, String>) throws -> FlagDocument {
  try FlagDocument("{\"flags\": {\(flags.map { "\"\($0.key)\": {\($0.value)}" }.joined(separator: ", "))}}")
}

/// The members of a flag that is on or off for everyone.
func constant(_ isOn: Bool) -> String {
  #""state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "\#(isOn ? "on" : "off")""#
}

/// The members of a flag with a value.
func value(_ json: String) -> String {
  #""state": "ENABLED", "variants": {"only": \#(json)}, "defaultVariant": "only""#
}

/// The members of a flag whose variants are their names, and which has one of them.
func choice(of variants: [String], _ chosen: String, targeting: String = "{}") -> String {
  let variants = variants.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
  return """
    "state": "ENABLED", "variants": {\(variants)}, "defaultVariant": "\(chosen)", "targeting": \(targeting)
    """
}

/// A list that several threads add to.
final class Log<Element: Sendable>: Sendable {
  private let list = Locked<[Element]>([])

  var elements: [Element] { list.withLock { $0 } }
  var count: Int { list.withLock { $0.count } }
  var last: Element? { list.withLock { $0.last } }
  func add(_ element: Element) { list.withLock { $0.append(element) } }
}

/// A clock on which every wait is over nearly at once, and which counts them.
final class ImpatientClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (first: Self, second: Self) -> Bool { first.offset < second.offset }
  }

  private let sleeps = Atomic(0)

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    sleeps.add(1, ordering: .sequentiallyConsistent)
    try await Task.sleep(for: .microseconds(100))
  }

  /// Waits until a task that polls with this clock has begun and finished another look.
  func look() async throws {
    let before = sleeps.load(ordering: .sequentiallyConsistent)
    try await until { self.sleeps.load(ordering: .sequentiallyConsistent) >= before + 2 }
  }
}

/// Waits until something holds, and leaves the processor to others meanwhile.
func until(_ condition: @Sendable () -> Bool) async throws {
  while !condition() { try await Task.sleep(for: .microseconds(100)) }
}
