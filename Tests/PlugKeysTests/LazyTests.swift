import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("A lazy value", .serialized)
struct LazyTests {
  @Test("is made at its first use, and is kept from then on")
  func once() {
    let made = Counter()
    let lazy = Lazy {
      made.increment()
      return Instance()
    }
    #expect(made.value == 0 && !lazy.isMade)
    #expect(lazy.instance === lazy.instance)
    #expect(made.value == 1 && lazy.isMade)
  }

  @Test("that cannot be made throws an error, and is tried again at the next use")
  func throwing() throws {
    let isRepaired = Setting<Bool>()
    let line = #line + 1
    let lazy = Lazy { () throws -> Int in
      if isRepaired.value != true { throw Failure() }
      return 1
    }
    let error = #expect(throws: InjectorError.self) { try lazy.get() }
    #expect(
      error?.description == """
        Lazy<Int> could not be made: the disk is full
          service:        Lazy<Int>
          chain:          Lazy<Int>
          registered at:  \(#fileID):\(line)
        To fix this:
          - Check the factory, which threw Failure. The next get tries again.
        """)
    isRepaired.set(true)
    #expect(try lazy.get() == 1)
  }

  @Test("that needs itself through other lazy values and injectors throws an error with the path")
  func circular() throws {
    let injector = Injector()
    let first = Setting<Lazy<Int>>()
    let second = Lazy { try injector.get(String.self).count }
    try injector.register(as: String.self) { "\(try first.value?.get() ?? 0)" }
    first.set(Lazy { try second.get() })
    let outcome = Result { () throws(InjectorError) in try second.get() }
    #expect(outcome.circularPath == ["Lazy<Int>", "String", "Lazy<Int>", "Lazy<Int>"])
  }

  @Test("that is made on the main actor throws elsewhere until it has been made")
  func mainActor() async throws {
    let line = #line + 1
    let lazy = Lazy { @MainActor in Instance() }
    let error = #expect(throws: InjectorError.self) { try lazy.get() }
    #expect(
      error?.description == """
        lazy.get() failed: Lazy<Instance> is made on the main actor, and this call ran elsewhere.
          service:        Lazy<Instance>
          chain:          Lazy<Instance>
          registered at:  \(#fileID):\(line)
        To fix this:
          - Get it once on the main actor, for example at launch. After that, any thread can get it.
          - Or get it in a @MainActor function.
        """)
    let made = try await MainActor.run { try lazy.get() }
    #expect(try lazy.get() === made)
  }

  @Test("can be registered as a service, and the injector then gives its instance")
  func registered() throws {
    let injector = Injector()
    let lazy = Lazy { Instance("lazy") }
    try injector.register(lazy.get)
    try injector.register(as: (any Networking).self, Lazy { HTTPNetworking() }.get)
    let instance: Instance = injector.resolve()
    #expect(instance === lazy.instance)
    #expect(try injector.get((any Networking).self).name == "http")
  }

  @Test("that cannot be made ends the program with the line of its declaration")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { readBroken() }
    let expected = """
      \(#fileID):\(readBrokenLine): Fatal error: Lazy<Int>.instance cannot be read.
      Lazy<Int> could not be made: the disk is full
        service:        Lazy<Int>
        chain:          Lazy<Int>
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }
}

@Suite("A weak lazy value", .serialized)
struct WeakLazyTests {
  @Test("gives the same instance while that instance is held, and a new one afterwards")
  func held() {
    let alive = LivingCount()
    let lazy = WeakLazy { Tracked(alive) }
    #expect(useTwice(lazy))
    #expect(alive.current == 0 && !lazy.isMade)
    #expect(useTwice(lazy))
    #expect(alive.total == 2)
  }

  @Test("can be registered as a service, and stays weak")
  func registered() throws {
    let injector = Injector()
    let alive = LivingCount()
    try injector.register(injectable: .weakSingleton(WeakLazy { Tracked(alive) }.get))
    #expect(try getTwice(injector))
    #expect(alive.current == 0)
  }

  @Test("of a type that is not a class throws an error")
  func value() {
    let lazy = WeakLazy { 1 }
    #expect {
      try lazy.get()
    } throws: { error in
      if case InjectorError.lifetimeUnsupported(_, lifetime: .weakSingleton) = error { true } else { false }
    }
  }
}

@inline(never)
private func useTwice(_ lazy: WeakLazy<Tracked>) -> Bool {
  let first = lazy.instance
  return first === lazy.instance
}

@inline(never)
private func getTwice(_ injector: Injector) throws -> Bool {
  let first = try injector.get(Tracked.self)
  return try first === injector.get(Tracked.self)
}

private let readBrokenLine = #line + 3

private func readBroken() {
  let lazy = Lazy { () throws -> Int in throw Failure() }
  _ = lazy.instance
}
