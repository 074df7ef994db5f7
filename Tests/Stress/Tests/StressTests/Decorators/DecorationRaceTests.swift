import PlugOperations
import TestSupport
import Testing

@testable import Plug

private protocol Search: AnyObject, Sendable {
  var isWrapped: Bool { get }
}

private final class Plain: Search {
  let isWrapped = false
  private let end: (@Sendable () -> Void)?

  init(_ end: (@Sendable () -> Void)? = nil) {
    self.end = end
  }

  deinit { end?() }
}

private final class Wrapped: Search {
  let isWrapped = true
  let inner: any Search

  init(_ inner: any Search) {
    self.inner = inner
  }
}

/// Holds an instance until `release()`.
private final class Holder: Sendable {
  private let held: Locked<(any Search)?>

  init(_ search: any Search) {
    held = Locked(search)
  }

  func release() {
    let last = held.withLock { held in
      defer { held = nil }
      return held
    }
    withExtendedLifetime(last) {}
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension Injector {
  fileprivate func wrap() throws(InjectorError) {
    try decorate((any Search).self) { inner, _ in Wrapped(inner) }
  }
}

@Suite("A decorator that is declared during the first get", .repeatable, .serialized)
struct DecorationRaceTests {
  /// The injection of each lifetime.
  private static let injections: [(Lifetime, @Sendable (Counter) -> Injection<any Search>)] = [
    (.lazySingleton, { makes in .lazySingleton { count(makes) } }),
    (.weakSingleton, { makes in .weakSingleton { count(makes) } }),
    (.scoped, { makes in .scoped { count(makes) } }),
  ]

  private static func count(_ makes: Counter) -> Plain {
    makes.increment()
    return Plain()
  }

  @Test("is refused, or wraps the one instance that all threads get", arguments: 0..<3, [false, true])
  func firstGet(lifetime: Int, isDecoratedInScope: Bool) throws {
    try race(threads: 4) { _ -> (root: Injector, scope: Injector, makes: Counter) in
      let (root, makes) = (Injector(), Counter())
      try root.register(as: (any Search).self, injectable: Self.injections[lifetime].1(makes))
      return (root, root.makeScope(), makes)
    } body: { subject, thread -> Result<(any Search)?, InjectorError> in
      Result { () throws(InjectorError) in
        if thread > 0 { return try subject.scope.get((any Search).self) }
        try isDecoratedInScope ? subject.scope.wrap() : subject.root.wrap()
        return nil
      }
    } check: { subject, outcomes in
      let isDecorated = outcomes[0].isSuccess
      let others = try outcomes.dropFirst().compactMap { outcome in try outcome.get() }
      #expect(subject.makes.value == 1)
      let now = try subject.scope.get((any Search).self)
      #expect(now.isWrapped == isDecorated)
      if !isDecorated || !isDecoratedInScope || lifetime == 2 {
        #expect(others.allSatisfy { $0 === now })
      } else {
        // A request before the decorator takes effect gets the instance of the outer injector.
        #expect(others.allSatisfy { $0 === now || $0 === (now as? Wrapped)?.inner })
      }
    }
  }

  @Test("of a scope that has a decorator already is refused, or wraps the instance that all threads get")
  func scopes() throws {
    try race(threads: 4) { _ -> Injector in
      let root = Injector()
      try root.register(as: (any Search).self, injectable: .scoped { Plain() })
      let scope = root.makeScope()
      try scope.wrap()
      return scope
    } body: { scope, thread -> Result<(any Search)?, InjectorError> in
      Result { () throws(InjectorError) in
        if thread > 0 { return try scope.get((any Search).self) }
        try scope.wrap()
        return nil
      }
    } check: { scope, outcomes in
      let isDecorated = outcomes[0].isSuccess
      let now = try scope.get((any Search).self)
      for made in try outcomes.dropFirst().compactMap({ outcome in try outcome.get() }) { #expect(made === now) }
      #expect(((now as? Wrapped)?.inner is Wrapped) == isDecorated)
    }
  }

  @Test("of candidates is refused for all of them, or wraps all of them, and no request lacks one")
  func candidates() throws {
    try race(threads: 5) { _ -> Injector in
      let root = Injector()
      try root.register(
        PluginPoint<any Search, Int>("search") {
          Candidate("first") { Plain() }
          Candidate("second") { Plain() }
        })
      return root
    } body: { root, thread -> Result<[any Search], InjectorError> in
      Result { () throws(InjectorError) in
        switch thread {
        case 0: try root.wrap()
        case 1: try root.register(as: (any Search).self) { Plain() }
        case 2: return [try root.get((any Search).self, in: 1)]
        default: return try root.getAll((any Search).self, in: 1)
        }
        return []
      }
    } check: { root, outcomes in
      let now = try root.getAll((any Search).self, in: 1)
      #expect(now.map(\.isWrapped) == Array(repeating: outcomes[0].isSuccess, count: 3))
      for outcome in outcomes.dropFirst(2) {
        let found = try outcome.get()
        #expect(zip(found, now).allSatisfy { $0 === $1 })
      }
      for outcome in outcomes.dropFirst(3) { #expect(try outcome.get().count >= 2) }
      if case .failure(let error) = outcomes[0] { guard case .instanceExists = error else { throw error } }
      _ = try outcomes[1].get()
    }
  }

  @Test(
    "wraps the instances for equal arguments, or is refused",
    arguments: [ArgumentsLifetime<Int>.lazySingleton, .scoped])
  func arguments(lifetime: ArgumentsLifetime<Int>) throws {
    try race(threads: 4) { _ -> (root: Injector, scope: Injector) in
      let root = Injector()
      try root.register((any Search).self, taking: Int.self, lifetime: lifetime) { _, _ in Plain() }
      return (root, root.makeScope())
    } body: { subject, thread -> Result<(any Search)?, InjectorError> in
      Result { () throws(InjectorError) in
        if thread > 0 { return try subject.scope.get((any Search).self, with: 1) }
        try subject.root.wrap()
        return nil
      }
    } check: { subject, outcomes in
      let now = try subject.scope.get((any Search).self, with: 1)
      #expect(now.isWrapped == outcomes[0].isSuccess)
      for made in try outcomes.dropFirst().compactMap({ outcome in try outcome.get() }) { #expect(made === now) }
    }
  }

  @Test("of a scope in between wraps the instance of the inner scope, which earlier requests have got")
  func between() throws {
    try race(threads: 4) { _ -> (middle: Injector, inner: Injector) in
      let root = Injector()
      try root.register(as: (any Search).self, injectable: .scoped { Plain() })
      let middle = root.makeScope()
      return (middle, middle.makeScope())
    } body: { subject, thread -> Result<(any Search)?, InjectorError> in
      Result { () throws(InjectorError) in
        if thread > 0 { return try subject.inner.get((any Search).self) }
        try subject.middle.wrap()
        return nil
      }
    } check: { subject, outcomes in
      let now = try subject.inner.get((any Search).self)
      #expect(now.isWrapped && outcomes[0].isSuccess)
      for found in try outcomes.dropFirst().compactMap({ outcome in try outcome.get() }) {
        #expect(found === now || found === (now as? Wrapped)?.inner)
      }
    }
  }

  @Test("holds no lock while the last reference to a weak singleton is released", arguments: [false, true])
  func weakSingletonThatEnds(isScope: Bool) throws {
    let log = Log()
    try race(threads: 2) { round -> (Injector, Holder) in
      let root = Injector()
      try root.register(
        as: (any Search).self,
        injectable: .weakSingleton { [weak root] in
          Plain { [weak root] in _ = try? root?.register(injectable: .singleton(round)) }
        })
      let injector = isScope ? root.makeScope() : root
      if isScope { try injector.decorate((any Search).self) { inner, _ in inner } }
      return (injector, Holder(try injector.get((any Search).self)))
    } body: { (subject: (injector: Injector, holder: Holder), thread) in
      if thread == 0 { try? subject.injector.wrap() } else { subject.holder.release() }
    } check: { subject, _ in
      if try subject.0.get(Int.self) < 0 { log.add("lost") }
    }
    #expect(log.lines == [])
  }

  @Test("in a scope leaves a weak singleton weak")
  func weakInScope() throws {
    let (root, ends) = (Injector(), Counter())
    try root.register(as: (any Search).self, injectable: .weakSingleton { Plain { ends.increment() } })
    let scope = root.makeScope()
    try scope.wrap()
    #expect(try scope.get((any Search).self).isWrapped)
    #expect(ends.value == 1)
    let held = try scope.get((any Search).self)
    #expect(try scope.get((any Search).self) === held)
    #expect(ends.value == 1)
    withExtendedLifetime(held) {}
  }

  @Test("is refused or wraps all instances, for four decorators at once", arguments: 0..<3, [false, true])
  func several(lifetime: Int, isDecoratedInScope: Bool) throws {
    try race(threads: 8) { _ -> (root: Injector, scope: Injector, makes: Counter) in
      let (root, makes) = (Injector(), Counter())
      try root.register(as: (any Search).self, injectable: Self.injections[lifetime].1(makes))
      return (root, root.makeScope(), makes)
    } body: { subject, thread -> Result<(any Search)?, InjectorError> in
      Result { () throws(InjectorError) in
        if thread > 3 { return try subject.scope.get((any Search).self) }
        try (isDecoratedInScope ? subject.scope : subject.root).wrap()
        return nil
      }
    } check: { subject, outcomes in
      let now = try subject.scope.get((any Search).self)
      var (depth, inner) = (0, now)
      while let outer = inner as? Wrapped { (depth, inner) = (depth + 1, outer.inner) }
      #expect(depth == outcomes[..<4].count(where: \.isSuccess))
      // A get before the decoration of a scope returns the instance of the outer injector.
      let mayBePlain = isDecoratedInScope && lifetime < 2
      for outcome in outcomes[4...] {
        let found = try outcome.get()
        #expect(found === now || mayBePlain && found === inner)
      }
      #expect(subject.makes.value == 1)
      for case .failure(let error) in outcomes[..<4] {
        guard case .instanceExists = error else { throw error }
      }
    }
  }
}
