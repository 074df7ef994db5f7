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

  /// The same bits each time. Most algorithms that draw until something fits never end with it, unless it fits at once.
  public static func constant(_ bits: UInt64) -> Randomness { Randomness { bits } }

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
