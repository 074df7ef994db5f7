import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("A lazy value under several threads", .repeatable, .serialized)
struct LazyRaceTests {
  @Test("is made exactly once by eight threads")
  func cold() throws {
    try race(threads: 8) { _ in
      Lazy { Instance() }
    } body: { (lazy: Lazy<Instance>, _) -> Instance in
      lazy.instance
    } check: { _, instances in
      #expect(Set(instances.map(ObjectIdentifier.init)).count == 1)
    }
  }
}

@Suite("A weak lazy value under several threads", .repeatable, .serialized)
struct WeakLazyRaceTests {
  @Test("has one instance at a time under eight threads, shared by all that hold it")
  func race() throws {
    try TestSupport.race(threads: 8) { _ in
      WeakLazy { Instance() }
    } body: { (lazy: WeakLazy<Instance>, _) -> Instance in
      lazy.instance
    } check: { _, instances in
      #expect(Set(instances.map(ObjectIdentifier.init)).count == 1)
    }
  }
}
