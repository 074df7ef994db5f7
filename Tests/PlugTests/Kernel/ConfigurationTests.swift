import Plug
import TestSupport
import Testing

/// A service that gets its partner after its construction.
private final class Node: Sendable {
  let name: String
  private let state = Locked<(partner: Node?, isConfigured: Bool)>((nil, false))

  init(_ name: String) {
    self.name = name
  }

  /// Whether this node and its partner have been configured, and refer to each other.
  var isPaired: Bool { isConfigured && partner?.isConfigured == true && partner?.partner === self }
  var partner: Node? { state.withLock { $0.partner } }
  var isConfigured: Bool { state.withLock { $0.isConfigured } }

  func configure(partner: Node?) {
    state.withLock { $0 = (partner, true) }
  }
}

@Suite("Configuration", .serialized)
struct ConfigurationTests {
  /// Two services that refer to each other; one may get the other in its factory.
  private func pair(linkedByFactory: Bool) throws -> Injector {
    let injector = Injector()
    try injector.register(
      tag: "a",
      injectable: .lazySingleton { injector in
        if linkedByFactory { _ = try injector.get(Node.self, tag: "b") }
        return Node("a")
      }.configure { node, injector in
        node.configure(partner: try injector.get(Node.self, tag: "b"))
      })
    try injector.register(
      tag: "b",
      injectable: .lazySingleton { Node("b") }.configure { node, injector in
        node.configure(partner: try injector.get(Node.self, tag: "a"))
      })
    return injector
  }

  @Test("lets two services refer to each other, whichever is requested first", arguments: ["a", "b"], [false, true])
  func mutual(first: String, linkedByFactory: Bool) throws {
    let injector = try pair(linkedByFactory: linkedByFactory)
    _ = try injector.get(Node.self, tag: Injector.Tag(rawValue: first))
    let (a, b) = (try injector.get(Node.self, tag: "a"), try injector.get(Node.self, tag: "b"))
    #expect(a.partner === b && b.partner === a)
  }

  @Test("runs as soon as an instance is made, so inner instances are configured first")
  func order() throws {
    let injector = Injector()
    let log = Log()
    for (name, needs) in [("outer", "middle"), ("middle", "inner"), ("inner", nil)] {
      try injector.register(
        tag: Injector.Tag(rawValue: name),
        injectable: .lazySingleton { injector in
          if let needs { _ = try injector.get(Node.self, tag: Injector.Tag(rawValue: needs)) }
          log.add("make \(name)")
          return Node(name)
        }.configure { _, _ in
          log.add("configure \(name)")
        }.configure { _, _ in
          log.add("again \(name)")
        })
    }
    _ = try injector.get(Node.self, tag: "outer")
    #expect(
      log.lines == [
        "make inner", "configure inner", "again inner", "make middle", "configure middle", "again middle", "make outer",
        "configure outer", "again outer",
      ])
  }

  @Test("that throws keeps no instance, and the next request tries again")
  func failure() throws {
    let injector = Injector()
    let attempts = Counter()
    weak var lost: Node?
    let made = Counter()
    try injector.register(
      as: Node.self,
      injectable: .lazySingleton {
        made.increment()
        return Node("n")
      }.configure { _, _ in
        if attempts.increment() == 1 { throw Failure() }
      })
    do throws(InjectorError) {
      lost = try injector.get(Node.self)
      Issue.record("The first request should have thrown.")
    } catch {
      guard case .constructionFailed(_, let underlying) = error else { throw error }
      #expect(underlying as? Failure == Failure())
    }
    #expect(lost == nil)
    #expect(try injector.get(Node.self) === injector.get(Node.self))
    #expect(made.value == 2)
  }

  @Test("does not hang if one thread needs an instance that another thread has made and not yet configured")
  func crossing() throws {
    // x needs a, then y; y needs a. While x has made a and needs y, another thread makes y and needs a.
    let injector = Injector()
    let bothInside = Rendezvous(2)
    try injector.register(
      tag: "a", injectable: .lazySingleton { Node("a") }.configure { node, _ in node.configure(partner: nil) })
    try injector.register(tag: "x") { injector in
      let a = try injector.get(Node.self, tag: "a")
      bothInside.meet()
      let y = try injector.get(Node.self, tag: "y")
      let x = Node("x")
      x.configure(partner: y)
      #expect(y.partner === a)
      return x
    }
    try injector.register(tag: "y") { injector in
      bothInside.meet()
      let y = Node("y")
      y.configure(partner: try injector.get(Node.self, tag: "a"))
      return y
    }
    let outcomes = inParallel(
      { injector.outcome(Node.self, tag: "x") },
      { injector.outcome(Node.self, tag: "y") }
    )
    let (x, y) = (try outcomes[0].get(), try outcomes[1].get())
    #expect(x.partner === y && y.partner?.isConfigured == true)
  }

  @Test("is finished before a rule reads the service, and no state is left after the choice")
  func rule() throws {
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton { Node("n") }.configure { node, _ in node.configure(partner: nil) })
    let point = PluginPoint<Instance, Int>("point") {
      Candidate("never") { Instance() }
        .when(Rule("is not configured") { _ in try !injector.get(Node.self).isConfigured })
    }
    #expect(point.first(in: 0) == nil)
    let outcomes = inParallel({ injector.outcome(Node.self).map { node in node.isConfigured } })
    #expect(try outcomes.map { outcome in try outcome.get() } == [true])
  }

  @Test("throws for services that make each other anew without end")
  func endless() throws {
    let injector = Injector()
    for (name, next) in [("a", "b"), ("b", "c"), ("c", "a")] {
      try injector.register(
        tag: Injector.Tag(rawValue: name),
        injectable: .factory { Node(name) }.configure { node, injector in
          node.configure(partner: try injector.get(Node.self, tag: Injector.Tag(rawValue: next)))
        })
    }
    let path = ["a", "b", "c", "a"].map { "Node (tag \"\($0)\")" }
    #expect(injector.outcome(Node.self, tag: "a").circularPath == path)
  }

  @Test(
    "may make another instance of the same service, if an instance of the request ends the cycle",
    arguments: [true, false])
  func finiteCircle(isGraph: Bool) throws {
    let injector = Injector()
    try injector.register(
      tag: "new",
      injectable: .factory { Node("new") }.configure { node, injector in
        node.configure(partner: try injector.get(Node.self, tag: "shared"))
      })
    let configure: @Sendable (Node, Injector) throws -> Void = { node, injector in
      node.configure(partner: try injector.get(Node.self, tag: "new"))
    }
    try injector.register(
      tag: "shared",
      injectable: isGraph
        ? .graph { Node("shared") }.configure(configure) : .lazySingleton { Node("shared") }.configure(configure))
    let node = try injector.get(Node.self, tag: "new")
    let shared = try #require(node.partner)
    #expect(shared.name == "shared" && shared.partner !== node)
    #expect(shared.isPaired)
    shared.configure(partner: nil)
  }

  @Test("applies once to an instance that existed before")
  func existing() throws {
    let injector = Injector()
    let configured = Counter()
    let node = Node("given")
    try injector.register(tag: "value", injectable: .singleton(node).configure { _, _ in configured.increment() })
    try injector.register(
      tag: "lazy", injectable: .lazySingleton(node) { Node("unused") }.configure { _, _ in configured.increment() })
    #expect(configured.value == 0)
    for _ in 0..<2 {
      #expect(try injector.get(Node.self, tag: "value") === node)
      #expect(try injector.get(Node.self, tag: "lazy") === node)
    }
    #expect(configured.value == 2)
  }

  @Test("applies to each instance of a factory")
  func factories() throws {
    let injector = Injector()
    try injector.register(injectable: .factory { Node("new") }.configure { node, _ in node.configure(partner: node) })
    let (first, second) = (try injector.get(Node.self), try injector.get(Node.self))
    #expect(first !== second && first.isConfigured && second.isConfigured)
    first.configure(partner: nil)
    second.configure(partner: nil)
  }
}
