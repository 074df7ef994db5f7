/// A small generator of pseudo-random numbers, with equal numbers for equal seeds on every machine.
///
/// SplitMix64 by Guy Steele, Doug Lea and Christine Flood, "Fast splittable pseudorandom number generators" (2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}

extension SplitMix64 {
  /// Returns `true` with the given chance, in percent.
  package mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  package mutating func number(in range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  package mutating func pick<Element>(_ elements: Element...) -> Element { pick(from: elements) }

  package mutating func pick<Element>(from elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// A seed for another generator, equal for equal states.
  package var seed: UInt64 {
    var copy = self
    return copy.next()
  }

  /// A generator of its own, for another thread.
  package mutating func split() -> SplitMix64 { SplitMix64(seed: next()) }

  /// A number of turns to wait, usually zero or small.
  package mutating func delay() -> Int { chance(50) ? 0 : number(in: 0...(chance(20) ? 2_000 : 100)) }
}
