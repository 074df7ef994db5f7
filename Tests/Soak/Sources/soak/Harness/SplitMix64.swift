/// A small generator whose numbers depend on the seed alone (Steele, Lea and Flood, 2014).
struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SplitMix64 {
  /// Whether something happens that happens so many times of a hundred.
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func number(in range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  mutating func pick<Element>(_ elements: Element...) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  mutating func pick<Element>(from elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// A generator of its own, for another thread.
  mutating func split() -> SplitMix64 { SplitMix64(seed: next()) }

  /// A number of turns to wait, most of the time none or few.
  mutating func delay() -> Int { chance(50) ? 0 : number(in: 0...(chance(20) ? 2_000 : 100)) }
}
