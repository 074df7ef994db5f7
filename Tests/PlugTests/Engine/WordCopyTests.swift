import Synchronization
import Testing

@testable import Plug

private struct Small: Equatable {
  let first: UInt8
  let second: Int16
}

private final class Announcement: Sendable {
  let value = Atomic(0)
}

private enum Count: Property {
  static var defaultValue: Int { 0 }
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

  @Test("lets a property be read that is set and reset all the time: nobody sees a value after a later one")
  func race() throws {
    let services = Injector()
    let (limit, announced) = (20_000, Announcement())
    services[Count.self] = 0
    let outcomes = try inParallel(
      {
        for value in 1...limit {
          if value.isMultiple(of: 64) { services.reset(Count.self) }
          services[Count.self] = value
          announced.value.store(value, ordering: .releasing)
        }
        return true
      }, { reader(of: services, announced, limit) }, { reader(of: services, announced, limit) },
      { reader(of: services, announced, limit) })
    #expect(outcomes == [true, true, true, true])
  }

  /// Whether every value is as new as one that has been announced before it is read; 0 is that of a reset property.
  private func reader(of services: Injector, _ announced: Announcement, _ limit: Int) -> Bool {
    var known = 0
    while known < limit {
      known = announced.value.load(ordering: .acquiring)
      let value = services[Count.self]
      if value != 0, value < known { return false }
    }
    return true
  }

  private func copied<Value>(_ value: Value) -> Value? {
    let copy = WordCopy()
    copy.store(value, version: 0)
    return copy.load(as: Value.self)
  }
}
