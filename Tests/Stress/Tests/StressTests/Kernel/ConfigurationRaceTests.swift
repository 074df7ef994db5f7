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
}
