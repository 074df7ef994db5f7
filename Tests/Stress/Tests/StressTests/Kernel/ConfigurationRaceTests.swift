import Plug
import TestSupport
import Testing

/// A service that gets its partner after its construction.
private final class Node: Sendable {
  private let state = Locked<(partner: Node?, isConfigured: Bool)>((nil, false))

  /// Whether this node and its partner have been configured, and refer to each other.
  var isPaired: Bool { isConfigured && partner?.isConfigured == true && partner?.partner === self }
  var partner: Node? { state.withLock { $0.partner } }
  var isConfigured: Bool { state.withLock { $0.isConfigured } }

  func configure(partner: Node?) {
    state.withLock { $0 = (partner, true) }
  }
}

@Suite("Configuration under several threads", .repeatable, .serialized)
struct ConfigurationRaceTests {
  /// Two services that refer to each other; one may get the other in its factory.
  private func pair(linkedByFactory: Bool, makes: Counter) throws -> Injector {
    let injector = Injector()
    try injector.register(
      tag: "a",
      injectable: .lazySingleton { injector in
        makes.increment()
        if linkedByFactory { _ = try injector.get(Node.self, tag: "b") }
        return Node()
      }.configure { node, injector in
        node.configure(partner: try injector.get(Node.self, tag: "b"))
      })
    try injector.register(
      tag: "b",
      injectable: .lazySingleton {
        makes.increment()
        return Node()
      }.configure { node, injector in
        node.configure(partner: try injector.get(Node.self, tag: "a"))
      })
    return injector
  }

  @Test(
    "finishes both instances before any thread sees either, and each is made once", arguments: [2, 8], [false, true])
  func visibility(threads: Int, linkedByFactory: Bool) throws {
    try race(threads: threads) { _ in
      let makes = Counter()
      return (try pair(linkedByFactory: linkedByFactory, makes: makes), makes)
    } body: { (subject: (injector: Injector, makes: Counter), thread) in
      let tag: Injector.Tag = thread % 2 == 0 ? "a" : "b"
      return subject.injector.outcome(Node.self, tag: tag).map { node in node.isPaired }
    } check: { subject, outcomes in
      let arePaired = try outcomes.map { outcome in try outcome.get() }
      #expect(arePaired == Array(repeating: true, count: threads))
      #expect(subject.1.value == 2)
    }
  }

  @Test("finishes before any request sees the instance, if the services form no circle")
  func acyclic() throws {
    try race(threads: 3) { _ in
      // `holder` configures itself with `shared` and `reader`, and `reader` needs `link`, which configures itself with
      // `shared`.
      let injector = Injector()
      try injector.register(tag: "shared", injectable: .lazySingleton { Node() })
      for (tag, first, last) in [("holder", "shared", "reader"), ("link", "shared", "shared")] {
        try injector.register(
          tag: Injector.Tag(rawValue: tag),
          injectable: .lazySingleton { Node() }.configure { node, injector in
            _ = try injector.get(Node.self, tag: Injector.Tag(rawValue: first))
            node.configure(partner: try injector.get(Node.self, tag: Injector.Tag(rawValue: last)))
          })
      }
      try injector.register(
        tag: "reader",
        injectable: .lazySingleton { injector in
          let (link, node) = (try injector.get(Node.self, tag: "link"), Node())
          if link.isConfigured { node.configure(partner: link) }
          return node
        })
      return injector
    } body: { (injector: Injector, thread) in
      injector.outcome(Node.self, tag: ["holder", "reader", "link"][thread]).map(\.isConfigured)
    } check: { injector, outcomes in
      let areConfigured = try outcomes.map { outcome in try outcome.get() }
      #expect(areConfigured == [true, true, true])
      #expect(try injector.get(Node.self, tag: "reader").isConfigured)
    }
  }
}
