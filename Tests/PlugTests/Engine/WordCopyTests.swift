import TestSupport
import Testing

@testable import Plug

private struct Small: Equatable {
  let first: UInt8
  let second: Int16
}

@Suite("A copy of a value in a word", .serialized)
struct WordCopyTests {
  @Test("is what was stored, for every type of plain data that has room")
  func types() {
    #expect(copied(25.5) == 25.5)
    #expect(copied(-1) == -1)
    #expect(copied(true) == true)
    #expect(copied(Small(first: 1, second: -2)) == Small(first: 1, second: -2))
    #expect(copied(Optional<Int32>.none) == .some(nil))
    #expect(copied(Optional<Int32>.some(7)) == .some(7))
    #expect(copied(()) != nil)
  }

  @Test("is not made of what has none, or is counted")
  func impossible() {
    #expect(copied("a") == nil)
    #expect(copied(Optional<Int>.some(7)) == nil)
    #expect(copied(Instance()) == nil)
    #expect(copied([1]) == nil)
  }

  @Test("is gone when there is no value")
  func absent() {
    let copy = WordCopy()
    #expect(copy.load(as: Int.self) == nil)
    copy.store(1, version: 0)
    copy.store(Int?.none, version: 1)
    #expect(copy.load(as: Int.self) == nil)
  }

  private func copied<Value>(_ value: Value) -> Value? {
    let copy = WordCopy()
    copy.store(value, version: 0)
    return copy.load(as: Value.self)
  }
}
