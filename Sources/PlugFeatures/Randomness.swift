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
  /// The standard library takes integers from the upper bits and floating-point numbers from the lower 53; so the
  /// fraction stands in both, exact to one in two thousand. Where a number would not be fair it draws again. With this
  /// source it never has to, in ranges of up to 2³¹ values, because all bits together are an odd multiple of 2³¹.
  ///
  /// - Parameter fraction: The place, from 0 for the first to just below 1 for the last. What lies outside is moved inside.
  public static func constant(_ fraction: Double) -> Randomness {
    let fraction = min(max(fraction, 0), 1)
    let (forIntegers, forFractions) = (min(UInt64(fraction * 0x1p11), 0x7FF), min(UInt64(fraction * 0x1p21), 0x1F_FFFF))
    let bits = forIntegers << 53 | forFractions << 32 | 0x8000_0000
    return Randomness { bits }
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
