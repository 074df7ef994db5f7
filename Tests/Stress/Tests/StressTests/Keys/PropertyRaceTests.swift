import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private enum Shared: Property {
  static var defaultValue: Instance { Instance() }
}

/// A property for each level.
private enum Level<Inner>: Property {
  static var defaultValue: Int { 0 }
}

private func setAll<Inner>(_ level: Level<Inner>.Type, to count: Int, in injector: Injector) {
  if count == 0 { return }
  injector[level] = count
  setAll(Level<Level<Inner>>.self, to: count - 1, in: injector)
}

private func all<Inner>(_ level: Level<Inner>.Type, from count: Int, in injector: Injector) -> [Int] {
  count == 0 ? [] : [injector[level]] + all(Level<Level<Inner>>.self, from: count - 1, in: injector)
}

@Suite("A property under several threads", .repeatable)
struct PropertyRaceTests {
  @Test("that is new is found in a sealed injector while other threads read there", arguments: [2, 8])
  func growing(threads: Int) throws {
    try race(threads: threads) { _ in
      let injector = Injector()
      injector[Theme.self] = "dark"
      try injector.seal()
      return injector
    } body: { injector, thread in
      if thread == 0 { setAll(Level<Void>.self, to: 40, in: injector) }
      return Set((0..<100).map { _ in injector[Theme.self] })
    } check: { injector, seen in
      #expect(Set(seen) == [["dark"]])
      #expect(all(Level<Void>.self, from: 40, in: injector) == Array((1...40).reversed()))
    }
  }

  @Test("that eight threads set first in a scope never returns the outer value afterwards")
  func coldInScope() throws {
    let injector = Injector()
    try race(threads: 8) { _ in
      injector.makeScope("scope")
    } body: { (scope: Injector, thread) -> Int in
      scope[Volume.self] = thread + 1
      return scope[Volume.self]
    } check: { scope, seen in
      #expect(seen.allSatisfy { (1...8).contains($0) })
      #expect(seen.contains(scope[Volume.self]))
      #expect(injector[Volume.self] == 0)
    }
  }

  @Test("loses no update of any thread")
  func update() throws {
    try race(threads: 8) { _ in
      Injector()
    } body: { injector, _ in
      for _ in 0..<10 { injector.update(Volume.self) { $0 += 1 } }
    } check: { injector, _ in
      #expect(injector[Volume.self] == 80)
    }
  }

  @Test("never updates a value that has been reset meanwhile")
  func updateAfterReset() throws {
    let injector = Injector()
    try race(threads: 2) { _ in
      injector.makeScope("scope")
    } body: { (scope: Injector, thread) -> Set<Int> in
      Set(
        (1...1000).map { value in
          if thread == 0 {
            scope[Volume.self] = value
            scope.reset(Volume.self)
          } else {
            scope.update(Volume.self) { $0 += 0 }
          }
          return thread == 0 ? scope[Volume.self] : 0
        })
    } check: { _, seen in
      #expect(seen == [[0], [0]])
    }
  }

  @Test("makes its default value once for the first reads of eight threads")
  func coldDefault() throws {
    try race(threads: 8) { _ in
      Injector()
    } body: { (injector: Injector, _) -> Instance in
      injector[Shared.self]
    } check: { _, instances in
      #expect(Set(instances.map(ObjectIdentifier.init)).count == 1)
    }
  }
}
