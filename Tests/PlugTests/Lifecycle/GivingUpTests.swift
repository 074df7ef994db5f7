import TestSupport
import Testing

@testable import Plug

private final class Connection: Sendable {
  let closings = Counter()
}

/// Runs a closure when it is released.
private final class Asking: Sendable {
  private let ask: @Sendable () -> Void
  init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
  deinit { ask() }
}

@Suite("Retired instances", .serialized)
struct GivingUpTests {
  @Test("An instance whose registration is removed during its construction is closed, once")
  func removedMeanwhile() throws {
    let closings = Counter()
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton { (injector: Injector) in
        try injector.unregister(Connection.self)
        return Connection()
      }.onClose { (_: Connection) in closings.increment() })
    let error = try #require(throws: InjectorError.self) { try injector.get(Connection.self) }
    #expect(error.headline == "get(Connection.self) failed: nothing is registered for Connection.")
    #expect(closings.value == 1)
    injector.closeNow()
    #expect(closings.value == 1)
  }

  @Test("An instance of a standalone point ends with the point, and is closed then")
  func standalone() throws {
    let closings = Counter()
    do {
      let point = PluginPoint<Connection, Int>("connections") {
        Candidate("one", .lazySingleton { Connection() }.onClose { _ in closings.increment() })
        Candidate("unused", .lazySingleton { Connection() }.onClose { _ in closings.increment() }).when(.never)
      }
      #expect(point.first(in: 1) === point.first(in: 2))
      #expect(closings.value == 0)
    }
    #expect(closings.value == 1)
  }

  @Test("Many instances that are unregistered one by one are released without a lock")
  func manyRemoved() throws {
    let (injector, released) = (Injector(), Counter())
    let tags = (0..<100).map { Injector.Tag(rawValue: "\($0)") }
    for tag in tags {
      try injector.register(
        tag: tag,
        injectable: .lazySingleton { [unowned injector] in
          Asking {
            released.increment()
            _ = injector.isRegistered(Connection.self)
          }
        }.onClose { _ in })
      _ = try injector.get(Asking.self, tag: tag)
    }
    for tag in tags { try injector.unregister(Asking.self, tag: tag) }
    injector.closeNow()
    #expect(released.value == 100)
  }

  @Test("A handed-in instance of a candidate is not closed when the candidate ends")
  func handedIn() throws {
    let given = Connection()
    let injection = Injection<Connection>.lazySingleton(given) { Connection() }.onClose { $0.closings.increment() }
    let injector = Injector()
    do {
      let point = PluginPoint<Connection, Int>("connections") { Candidate("given", injection) }
      #expect(point.first(in: 1) === given)
      try injector.register(point)
    }
    #expect(given.closings.value == 0)
    injector.closeNow()
    #expect(given.closings.value == 1)
  }

  @Test("A handed-in instance is not closed before its injector, in every form of registration")
  func handedInAnyWay() throws {
    let ways: [(String, (Injector, Injection<Connection>) throws -> Connection)] = [
      (
        "tagged",
        { injector, injection in
          try injector.register(tag: "main", injectable: injection)
          return try injector.get(tag: "main")
        }
      ),
      (
        "in place of another",
        { injector, injection in
          try injector.register { Connection() }
          try injector.register(injectable: injection)
          return try injector.get()
        }
      ),
      (
        "as a candidate",
        { injector, injection in
          try injector.contribute(Connection.self, tag: "main", injection, when: Rule<Int>("is one") { $0 == 1 })
          return try injector.get(tag: "main", in: 1)
        }
      ),
      (
        "in a point",
        { injector, injection in
          let point = PluginPoint<Connection, Int>("connections") { Candidate("given", injection) }
          try injector.register(point, tag: "main")
          return try injector.get(tag: "main", in: 1)
        }
      ),
      (
        "by a provider",
        { injector, injection in
          let provider: Provider<Connection> = injector.provide(injection)
          return try provider.get()
        }
      ),
      (
        "in place of what a provider declares",
        { injector, injection in
          try injector.connection.override(injection)
          return try injector.connection.get()
        }
      ),
      (
        "and decorated",
        { injector, injection in
          if !injector.isScope { try injector.decorate(Connection.self) { inner, _ in inner } }
          try injector.register(injectable: injection)
          try injector.decorate(Connection.self) { inner, _ in inner }
          return try injector.get()
        }
      ),
    ]
    for (way, register) in ways {
      for isScope in [false, true] {
        let services = Injector(allowRewrite: true)
        let injector = isScope ? services.makeScope() : services
        let given = Connection()
        let got = try register(injector, .singleton(given).onClose { $0.closings.increment() })
        #expect(got === given, "\(way)")
        #expect(given.closings.value == 0, "\(way)")
        services.closeNow()
        injector.closeNow()
        #expect(given.closings.value == 1, "\(way)")
      }
    }
  }
}

extension Injector {
  fileprivate var connection: Provider<Connection> { provide(.lazySingleton { Connection() }) }
}
