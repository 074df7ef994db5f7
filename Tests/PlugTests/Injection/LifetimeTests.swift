import Plug
import PlugOperations
import TestSupport
import Testing

/// Two dependencies that refer to the same instance of one request.
private struct Pair: Sendable {
  let first: Holder
  let second: Holder
}

private struct Holder: Sendable {
  let instance: Tracked
}

private final class Text: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

extension Injector {
  fileprivate var text: Provider<Text> { provide { Text("\($0)") } }
  fileprivate var scopedText: Provider<Text> { provide(.scoped { Text("\($0)") }) }
}

@Suite("A lifetime", .serialized)
struct LifetimeTests {
  @Test("passes the injector to a closure that does not say what it takes")
  func closures() throws {
    let injector = Injector("texts")
    try injector.register { Text("\($0)") }
    try injector.register(Text.self, tag: "lazySingleton", .lazySingleton { Text("\($0)") })
    try injector.register(Text.self, tag: "weakSingleton", .weakSingleton { Text("\($0)") })
    try injector.register(Text.self, tag: "scoped", .scoped { Text("\($0)") })
    try injector.register(Text.self, tag: "graph", .graph { Text("\($0)") })
    try injector.register(Text.self, tag: "factory", .factory { Text("\($0)") })
    let scope = injector.makeScope("inner")
    for tag in [nil, "lazySingleton", "weakSingleton"] as [Injector.Tag?] {
      #expect(try scope.get(Text.self, tag: tag).text == "\(injector)")
    }
    for tag in ["scoped", "graph", "factory"] as [Injector.Tag] {
      #expect(try scope.get(Text.self, tag: tag).text == "\(scope)")
    }
    #expect(try scope.text.get().text == "\(injector)")
    #expect(try scope.scopedText.get().text == "\(scope)")
  }

  @Test("weakSingleton returns one instance while an owner holds it, and a new one after that")
  func weakSingleton() throws {
    let living = LivingCount()
    let injector = Injector()
    try injector.register(as: (any Networking).self, injectable: .weakSingleton { Tracked(living) })
    var first: (any Networking)? = try injector.get((any Networking).self)
    let second = try injector.get((any Networking).self)
    #expect(first as? Tracked === second as? Tracked)
    #expect(living.current == 1 && living.total == 1)
    first = nil
    #expect(living.current == 1)
    _ = consume second
    #expect(living.current == 0)
    _ = try injector.get((any Networking).self)
    #expect(living.current == 0 && living.total == 2)
  }

  @Test("weakSingleton is refused for a value type, at its registration or at its first request")
  func weakValue() throws {
    let injector = Injector("shop")
    let refusal = #expect(throws: InjectorError.self) {
      try injector.register(
        as: HTTPNetworking.self, injectable: .weakSingleton { HTTPNetworking() }, fileID: "Shop/Net.swift", line: 1)
    }
    #expect(
      refusal?.description == """
        HTTPNetworking cannot be a weakSingleton: HTTPNetworking is not a class, and only objects can be held weakly.
          service:        HTTPNetworking
          injector:       shop
          chain:          HTTPNetworking
        To fix this:
          - Use lazySingleton, or make it a class.
        """)
    #expect(!injector.isRegistered(HTTPNetworking.self))
    try injector.register(
      as: (any Networking).self, injectable: .weakSingleton { HTTPNetworking() }, fileID: "Shop/Net.swift", line: 2)
    let failure = #expect(throws: InjectorError.self) { try injector.get((any Networking).self) }
    #expect(
      failure?.description == """
        Networking cannot be a weakSingleton: HTTPNetworking is not a class, and only objects can be held weakly.
          service:        Networking
          injector:       shop
          chain:          Networking
          asked at:       \(place(failure))
          registered at:  Shop/Net.swift:2
        To fix this:
          - Use lazySingleton, or make it a class.
        """)
  }

  @Test("graph returns one instance within a request, and another one to the next request")
  func graph() throws {
    let living = LivingCount()
    let injector = Injector()
    try injector.register(injectable: .graph { Tracked(living) })
    try injector.register(injectable: .factory(wiring: Holder.init))
    try injector.register(injectable: .factory(wiring: Pair.init))
    var pairs = [try injector.get(Pair.self), try injector.get(Pair.self)]
    #expect(pairs[0].first.instance === pairs[0].second.instance)
    #expect(pairs[0].first.instance !== pairs[1].first.instance)
    #expect(living.current == 2)
    pairs = []
    #expect(living.current == 0)
  }

  @Test("graph keeps no instance after a request that fails")
  func failingGraph() throws {
    let living = LivingCount()
    let injector = Injector()
    try injector.register(injectable: .graph { Tracked(living) })
    try injector.register { injector -> Holder in
      _ = try injector.get(Tracked.self)
      throw Failure()
    }
    #expect(throws: InjectorError.self) { try injector.get(Holder.self) }
    #expect(living.current == 0 && living.total == 1)
  }
}
