public import Plug
import Synchronization

/// A source of random numbers.
///
/// ```swift
/// var random = services.randomness
/// let winner = candidates.randomElement(using: &random)
///
/// services.randomness = .seeded(42)  // the same numbers in each run
/// ```
///
/// All copies take from the same source, from any thread.
public struct Randomness: Feature, RandomNumberGenerator {
  private let draw: @Sendable () -> UInt64

  /// Creates a source of your own.
  ///
  /// - Parameter draw: Gives 64 random bits.
  public init(_ draw: @escaping @Sendable () -> UInt64) {
    self.draw = draw
  }

  /// The next 64 random bits.
  public func next() -> UInt64 { draw() }

  /// The random numbers of the system, which nobody can foresee.
  public static let system = Randomness { UInt64.random(in: .min ... .max) }

  /// Random numbers that are the same whenever the seed is: those of SplitMix64 (Steele, Lea and Flood, 2014). Whoever
  /// knows some of them can foresee the rest.
  public static func seeded(_ seed: UInt64) -> Randomness {
    let state = SplitMix64(seed: seed)
    return Randomness { state.next() }
  }

  /// The same place in each range: of a collection always the first element, always the middle one, always the last.
  ///
  /// The standard library takes a number from the bits that its type has room for: 64, 32, 16 or 8, of a `Double` the
  /// lower 53, of a `Float` the lower 24. The fraction stands in the upper part of each of these. Where a number would
  /// not be fair, it draws again; so that this ends, the lowest bit is another in every second draw.
  ///
  /// - Parameter fraction: The place, from 0 for the first to just below 1 for the last, exact to one in 256. What lies
  ///   outside is moved inside; what is no number counts as 0.
  public static func constant(_ fraction: Double) -> Randomness {
    let fraction = fraction > 0 ? min(fraction, 1) : 0
    let fields: [(width: UInt64, shift: UInt64)] = [(11, 53), (21, 32), (8, 24), (8, 16), (8, 8), (8, 0)]
    let bits = fields.reduce(into: UInt64(0)) { bits, field in
      let count = UInt64(1) << field.width
      bits |= min(UInt64(fraction * Double(count)), count - 1) << field.shift
    }
    let draws = Draws()
    return Randomness { bits ^ (draws.next() & 1) }
  }

  /// The random numbers of the system.
  public static func load(in injector: Injector) -> Randomness { .system }
}

extension Injector {
  /// A source of random numbers.
  public var randomness: Randomness {
    get { self[Randomness.self] }
    set { self[Randomness.self] = newValue }
  }
}

private final class SplitMix64: Sendable {
  private let state: Mutex<UInt64>

  init(seed: UInt64) {
    state = Mutex(seed)
  }

  func next() -> UInt64 {
    var bits = state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      return state
    }
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// Counts, from 0.
private final class Draws: Sendable {
  private let count = Atomic<UInt64>(0)

  func next() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
