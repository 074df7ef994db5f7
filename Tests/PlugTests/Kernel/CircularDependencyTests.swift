import Plug
import TestSupport
import Testing

/// Services that need each other in a cycle.
private final class A: Sendable {
  init(_ b: B) {}
}

private final class B: Sendable {
  init(_ c: C) {}
}

private final class C: Sendable {
  init(_ a: A) {}
  init() {}
}

/// A cycle whose last link is a property that an initializer reads.
private struct Start: Sendable {
  init(_ middle: Middle) {}
}

private struct Middle: Sendable {
  @Injected(.ring) private var start: Start

  init() throws {
    _ = try $start.get()
  }
}

/// A cycle through a wrapped property, which cannot throw.
private struct Outer: Sendable {
  init(_ inner: Inner) {}
}

private struct Inner: Sendable {
  @Injected(.ring) private var outer: Outer

  init() {
    _ = outer
  }
}

private let outerLine = #line - 7

private func readRing() throws {
  let injector = Injector(.ring)
  try injector.register(line: 1, { try Outer($0.get()) })
  try injector.register { Inner() }
  _ = try injector.get(Outer.self)
}

extension Injector.Name {
  fileprivate static let ring: Self = "ring"
}

extension Injector {
  /// The path that a request throws; ends the process if the request hangs.
  fileprivate func watchedPath<Service: Sendable>(_ type: Service.Type) -> [String]? {
    inParallel({ self.outcome(type) }).first?.circularPath
  }
}

@Suite("A circular dependency", .serialized)
struct CircularDependencyTests {
  enum Lifetime: CaseIterable { case shared, new }

  /// Registers A → B → C → A.
  private func ring(_ lifetime: Lifetime, capturing: Bool = false) throws -> Injector {
    let injector = Injector("ring of three")
    func inject<Service>(_ make: @escaping @Sendable (Injector) throws -> Service) -> Injection<Service> {
      lifetime == .shared ? .lazySingleton(make) : .factory(make)
    }
    if capturing {
      try injector.register(injectable: inject { [unowned injector] _ in try A(injector.get()) })
      try injector.register(injectable: inject { [unowned injector] _ in try B(injector.get()) })
      try injector.register(injectable: inject { [unowned injector] _ in try C(injector.get()) })
    } else {
      try injector.register(injectable: inject { try A($0.get()) })
      try injector.register(injectable: inject { try B($0.get()) })
      try injector.register(injectable: inject { try C($0.get()) })
    }
    return injector
  }

  @Test(
    "throws with its path, whether the injector is handed in or captured",
    arguments: Lifetime.allCases, [false, true])
  func path(lifetime: Lifetime, capturing: Bool) throws {
    let injector = try ring(lifetime, capturing: capturing)
    #expect(injector.watchedPath(A.self) == ["A", "B", "C", "A"])
    #expect(injector.watchedPath(B.self) == ["B", "C", "A", "B"])
    #expect(injector.watchedPath(C.self) == ["C", "A", "B", "C"])
  }

  @Test("is found through wired initializers")
  func wired() throws {
    let injector = Injector()
    try injector.register(injectable: .lazySingleton(wiring: A.init))
    try injector.register(injectable: .factory(wiring: B.init))
    try injector.register(injectable: .lazySingleton(wiring: C.init(_:)))
    #expect(injector.watchedPath(B.self) == ["B", "C", "A", "B"])
  }

  @Test("is found through a property that an initializer reads")
  func property() throws {
    let injector = Injector("ring")
    try injector.register(injectable: .lazySingleton(wiring: Start.init))
    try injector.register { try Middle() }
    #expect(injector.watchedPath(Start.self) == ["Start", "Middle", "Start"])
    #expect(injector.watchedPath(Middle.self) == ["Middle", "Start", "Middle"])
  }

  @Test("ends the program with its path if a property closes it, which cannot throw")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try readRing()
    }
    let expected = """
      \(#fileID):\(outerLine): Fatal error: @Injected var of type Outer at \(#fileID):\(outerLine) cannot be read.
      Outer depends on itself: Outer → Inner → Outer.
        service:        Outer
        injector:       ring
        chain:          Outer → Inner → Outer
        asked at:       \(#fileID):\(outerLine)
        registered at:  \(#fileID):1
      To fix this:
        - Get one of them in a configure closure of the other, which must be a singleton or scoped.
        - Or move the shared dependencies into a third service.
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }

  @Test("shows the services that led to it in the chain, and only its own in the path")
  func chain() throws {
    let injector = try ring(.shared)
    try injector.register(as: Instance.self) { injector in
      _ = try injector.get(B.self)
      return Instance()
    }
    let error = #expect(throws: InjectorError.self) { try injector.get(Instance.self) }
    #expect(error?.facts.chain == ["Instance", "B", "C", "A", "B"])
  }

  @Test("changes nothing: the injector can be repaired and used")
  func recovery() throws {
    let injector = Injector(nil, allowRewrite: true)
    try injector.register { try A($0.get()) }
    try injector.register { try B($0.get()) }
    try injector.register { try C($0.get()) }
    #expect(injector.watchedPath(A.self) == ["A", "B", "C", "A"])
    try injector.register(as: C.self) { C() }
    #expect(try injector.get(A.self) === injector.get(A.self))
  }

  @Test("throws on both of two threads that enter the cycle at different services at once")
  func twoThreads() throws {
    let injector = Injector()
    let bothInside = Rendezvous(2)
    try injector.register(as: Instance.self, tag: "a") { injector in
      bothInside.meet()
      return try injector.get(tag: "b")
    }
    try injector.register(as: Instance.self, tag: "b") { injector in
      bothInside.meet()
      return try injector.get(tag: "a")
    }
    let outcomes = inParallel(
      { injector.outcome(Instance.self, tag: "a") },
      { injector.outcome(Instance.self, tag: "b") }
    )
    let (a, b) = (#"Instance (tag "a")"#, #"Instance (tag "b")"#)
    for outcome in outcomes {
      let path = try #require(outcome.circularPath)
      #expect(path == [a, b, a] || path == [b, a, b])
    }
  }
}
