import TestSupport
import Testing

@testable import Plug

private final class Named: Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

extension Injector {
  fileprivate func wrap(_ name: String, line: Int = 5) throws(InjectorError) {
    try decorate(Named.self, id: name, fileID: "Shop/Main.swift", line: line) { inner, _ in
      Named("\(name)(\(inner.name))")
    }
  }

  fileprivate func name(_ number: Int) throws -> String { try get(Named.self, with: number).name }

  fileprivate var number: Provider<Named, Int> {
    provide(lifetime: .scoped) { number, _ in Named("\(number)") }
  }
}

@Suite("Decorators of nested injectors")
struct NestedDecorationTests {
  let root = Injector("shop")
  let middle: Injector
  let inner: Injector

  init() {
    middle = root.makeScope("session")
    inner = middle.makeScope("request")
  }

  private func refusal(_ body: () throws(InjectorError) -> Void) throws -> String {
    do throws(InjectorError) {
      try body()
      return "none"
    } catch {
      guard case .instanceExists(let facts) = error else { throw error }
      return "\(facts.service) in \(facts.injector ?? "")"
    }
  }

  @Test("are refused where the service is registered, once an inner scope has made its instance")
  func scoped() throws {
    try root.register(injectable: .scoped { Named("own") })
    let made = try inner.get(Named.self)
    #expect(try refusal { () throws(InjectorError) in try root.wrap("root") } == "Named in shop")
    #expect(try refusal { () throws(InjectorError) in try inner.wrap("inner") } == "Named in shop/session/request")
    #expect(try inner.get(Named.self) === made)
    let other = root.makeScope().makeScope()
    #expect(try other.get(Named.self).name == "own")
  }

  @Test("wrap later instances of a scope, and may be declared before another scope makes its own")
  func scopedLater() throws {
    try root.register(injectable: .scoped { Named("own") })
    try middle.wrap("middle")
    try inner.wrap("inner")
    #expect(try inner.get(Named.self).name == "inner(middle(own))")
    let other = root.makeScope("other")
    try other.wrap("other")
    #expect(try other.get(Named.self).name == "other(own)")
  }

  @Test("are refused after a scope has made an instance from arguments")
  func scopedArguments() throws {
    try root.register(Named.self, taking: Int.self, lifetime: .scoped) { number, _ in Named("\(number)") }
    #expect(try inner.name(1) == "1")
    #expect(try refusal { () throws(InjectorError) in try root.wrap("root") } == "Named in shop")
    #expect(try refusal { () throws(InjectorError) in try inner.wrap("inner") } == "Named in shop/session/request")
    #expect(try [inner.name(1), inner.name(2)] == ["1", "2"])
    try root.unregister(Named.self, taking: Int.self)
    try root.register(Named.self, taking: Int.self, lifetime: .scoped) { number, _ in Named("new \(number)") }
    try root.wrap("root")
    #expect(try [inner.name(1), inner.name(2)] == ["root(new 1)", "root(new 2)"])
  }

  @Test("are refused after a provider has made an instance from arguments in a scope")
  func provider() throws {
    #expect(inner.number(1).name == "1")
    let refused = try refusal { () throws(InjectorError) in
      try root.number.decorate { inner, _ in Named("root(\(inner.name))") }
    }
    #expect(refused == "\\.number in shop")
    #expect([inner.number(1).name, inner.number(2).name] == ["1", "2"])
  }

  @Test("wrap shared instances of an outer injector for equal arguments, each once, and only for their scope")
  func keptArguments() throws {
    try root.register(Named.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in Named("\(number)") }
    let plain = try root.get(Named.self, with: 1)
    try inner.wrap("inner")
    let wrapped = try inner.get(Named.self, with: 1)
    #expect(wrapped.name == "inner(1)")
    #expect(try inner.get(Named.self, with: 1) === wrapped)
    #expect(try root.get(Named.self, with: 1) === plain)
    #expect(try middle.get(Named.self, with: 1) === plain)
    #expect(try inner.makeScope().get(Named.self, with: 1) === wrapped)
    let other = root.makeScope()
    try other.wrap("first")
    try other.wrap("second")
    #expect(try other.name(2) == "second(first(2))")
    #expect(try inner.name(2) == "inner(2)")
    inner.closeNow()
    #expect(try root.get(Named.self, with: 1) === plain)
  }

  @Test("wrap the replacement of an instance that an inner scope has made")
  func replaced() throws {
    let root = Injector("shop", allowRewrite: true)
    let middle = root.makeScope("session")
    let inner = middle.makeScope("request")
    try root.register(injectable: .scoped { Named("old") })
    #expect(try inner.get(Named.self).name == "old")
    try root.register(injectable: .scoped { Named("new") })
    try middle.wrap("middle")
    try root.wrap("root")
    #expect(try inner.get(Named.self).name == "middle(root(new))")
  }

  @Test("keep no replaced instance once the injectors are closed")
  func released() throws {
    let root = Injector("shop", allowRewrite: true)
    let middle = root.makeScope("session")
    let inner = middle.makeScope("request")
    let count = LivingCount()
    for _ in 0..<3 {
      let tracked = Tracked(count)
      try root.register(injectable: .scoped { Named(tracked.name) })
      #expect(try inner.get(Named.self).name == "tracked")
    }
    try root.register(injectable: .scoped { Named("new") })
    inner.closeNow()
    middle.closeNow()
    root.closeNow()
    #expect(count.current == 0)
  }

  @Test("show the chain to an instance that could not be made from arguments")
  func failure() throws {
    try root.register(
      Named.self, taking: Int.self, lifetime: .lazySingleton, fileID: "Shop/Main.swift", line: 3
    ) { _, _ in throw Failure() }
    try inner.wrap("inner")
    let error = #expect(throws: InjectorError.self) {
      try inner.get(Named.self, with: 1, fileID: "Shop/View.swift", line: 8)
    }
    #expect(
      error?.description == """
        Named(Int) could not be made: the disk is full
          service:        Named(Int)
          injector:       shop
          chain:          Named(Int) → Named(Int)
          asked at:       Shop/View.swift:8
          registered at:  Shop/Main.swift:3
        To fix this:
          - Check the factory, which threw Failure. The next get tries again.
        """)
  }
}
