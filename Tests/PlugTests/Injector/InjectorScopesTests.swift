import Plug
import TestSupport
import Testing

/// Records its beginning and its end.
private final class Witness: Sendable {
  let name: String
  private let log: Log

  init(_ name: String, _ log: Log) {
    self.name = name
    self.log = log
    log.add("+\(name)")
  }

  func close() { log.add("close \(name)") }

  deinit { log.add("-\(name)") }
}

private struct Service<Number>: Sendable {
  let witness: Witness
}

private enum A {}
private enum B {}
private enum C {}

@Suite("A scope", .serialized)
struct InjectorScopesTests {
  private let log = Log()

  private func makeInjector() throws -> Injector {
    let injector = Injector("services")
    try injector.register(injectable: .scoped { [log] in Service<A>(witness: Witness("A", log)) })
    try injector.register(
      as: Service<B>.self,
      injectable: .scoped { [log] injector in
        _ = try injector.get(Service<A>.self)
        return Service<B>(witness: Witness("B", log))
      }.onClose { $0.witness.close() })
    try injector.register { [log] in Service<C>(witness: Witness("C", log)) }
    return injector
  }

  @Test("has its own instance of scoped services, and shares other instances")
  func sharing() throws {
    let injector = try makeInjector()
    let (first, second) = (injector.makeScope("first"), injector.makeScope("second"))
    let inner = first.makeScope("inner")
    #expect(try first.get(Service<A>.self).witness === first.get(Service<A>.self).witness)
    #expect(try first.get(Service<A>.self).witness !== second.get(Service<A>.self).witness)
    #expect(try first.get(Service<A>.self).witness !== inner.get(Service<A>.self).witness)
    #expect(try first.get(Service<C>.self).witness === injector.get(Service<C>.self).witness)
    #expect(try inner.get(Service<C>.self).witness === injector.get(Service<C>.self).witness)
    #expect("\(inner)" == "Injector(\"services/first/inner\")")
    #expect(inner.parent === first && first.parent === injector && injector.parent == nil)
  }

  @Test("releases its instances in the same order after an awaited close, with or without onClose")
  func closingAwaited() async throws {
    let injector = try makeInjector()
    try injector.register(
      injectable: .scoped { [log] in Service<Int>(witness: Witness("D", log)) }
        .onClose { (service: Service<Int>) async in service.witness.close() })
    let scope = injector.makeScope()
    _ = try (scope.get(Service<B>.self), scope.get(Service<Int>.self))
    #expect(await scope.close().isEmpty)
    #expect(log.lines == ["+A", "+B", "+D", "close D", "-D", "close B", "-B", "-A"])
  }

  @Test("releases its instances in the same order when it is reset")
  func resetting() throws {
    let injector = try makeInjector()
    for number in 1...6 {
      try injector.register(
        tag: "\(number)",
        injectable: .scoped { [log] in Service<Int>(witness: Witness("\(number)", log)) })
    }
    let scope = injector.makeScope()
    for number in 1...6 { _ = try scope.get(Service<Int>.self, tag: "\(number)") }
    scope.reset()
    #expect(log.lines == ["+1", "+2", "+3", "+4", "+5", "+6", "-6", "-5", "-4", "-3", "-2", "-1"])
  }

  @Test("releases its instances in reverse order of construction when it is closed, and closes them first")
  func closing() throws {
    let injector = try makeInjector()
    let scope = injector.makeScope()
    _ = try scope.get(Service<B>.self)
    _ = try scope.get(Service<C>.self)
    scope.closeNow()
    #expect(log.lines == ["+A", "+B", "+C", "close B", "-B", "-A"])
    scope.closeNow()
    #expect(log.lines.count == 6 && scope.isClosed && !injector.isClosed)
  }

  /// Gets an instance, and releases it before this returns.
  @inline(never)
  private func use(_ scope: Injector) throws {
    _ = try scope.get(Service<B>.self)
  }

  @Test("is closed when it is released")
  func release() throws {
    let injector = try makeInjector()
    do {
      let scope = injector.makeScope()
      try use(scope)
      withExtendedLifetime(scope) {}
    }
    #expect(log.lines == ["+A", "+B", "close B", "-B", "-A"])
  }

  @Test("inherits registrations, and can add and shadow some")
  func configuring() throws {
    let injector = try makeInjector()
    try injector.register(injectable: .singleton("outer"))
    let scope = try injector.makeScope("request") { scope in
      try scope.register(injectable: .singleton("inner"))
      try scope.register(injectable: .lazySingleton { 42 })
    }
    #expect(try scope.get(String.self) == "inner" && injector.get(String.self) == "outer")
    #expect(try scope.get(Int.self) == 42 && injector[Int.self] == nil)
    #expect(scope.isRegistered(Service<A>.self) && !injector.isRegistered(Int.self))
    #expect(scope[Service<C>.self] != nil && scope[Double.self] == nil)
    try scope.unregister(String.self)
    #expect(try scope.get(String.self) == "outer")
    try scope.seal()
    #expect(scope.isSealed && !injector.isSealed)
    #expect(throws: InjectorError.self) { try scope.register(injectable: .singleton(1.5)) }
    #expect(try scope.get(Int.self) == 42)
  }

  @Test("is closed again if its configuration throws")
  func failingConfiguration() throws {
    let injector = try makeInjector()
    #expect(throws: Failure()) {
      try injector.makeScope { scope in
        _ = try scope.get(Service<A>.self)
        throw Failure()
      }
    }
    #expect(log.lines == ["+A", "-A"])
  }

  @Test("builds an instance that its parent keeps from the services of the parent")
  func perspective() throws {
    let injector = Injector()
    try injector.register(injectable: .singleton("outer"))
    try injector.register(as: [String].self, injectable: .lazySingleton { [try $0.get(String.self)] })
    try injector.register(as: Set<String>.self, injectable: .factory { [try $0.get(String.self)] })
    let scope = try injector.makeScope { try $0.register(injectable: .singleton("inner")) }
    #expect(try scope.get([String].self) == ["outer"])
    #expect(try scope.get(Set<String>.self) == ["inner"])
  }

  @Test("chooses among candidates by its own context")
  func candidates() throws {
    let injector = Injector()
    try injector.register(
      PluginPoint<any Networking, Int>("networks") {
        Candidate("large", .scoped { Instance("large") }).when(Rule("is large") { $0 > 10 })
        Candidate("small") { Instance("small") }
      })
    let (large, small) = try (
      injector.makeScope { try $0.register(injectable: .singleton(20)) },
      injector.makeScope { try $0.register(injectable: .singleton(5)) }
    )
    #expect(try large.get((any Networking).self).name == "large" && small.get((any Networking).self).name == "small")
    let first = try large.get((any Networking).self) as? Instance
    #expect(try first === large.get((any Networking).self, in: 30) as? Instance)
    #expect(try first !== small.get((any Networking).self, in: 30) as? Instance)
    #expect(try large.getAll((any Networking).self).map(\.name) == ["large", "small"])
  }

  @Test("closes and releases instances when they are unregistered or replaced")
  func unregistering() throws {
    let injector = Injector(allowRewrite: true)
    for name in ["first", "second"] {
      try injector.register(
        as: Service<A>.self,
        injectable: .lazySingleton { [log] in Service<A>(witness: Witness(name, log)) }
          .onClose { $0.witness.close() })
      _ = try injector.get(Service<A>.self)
    }
    try injector.register(injectable: .singleton(Service<B>(witness: Witness("B", log))).onClose { $0.witness.close() })
    try injector.unregister(Service<A>.self)
    #expect(log.lines == ["+first", "close first", "-first", "+second", "+B", "close second", "-second"])
    injector.closeNow()
    #expect(log.lines.dropFirst(7) == ["close B", "-B"])
  }

  @Test("serves one request, as in a server")
  func requests() throws {
    let services = try makeServer(log: log)
    try services.seal()
    for id in 1...2 {
      let request = try services.makeScope("request") {
        try $0.register(injectable: .singleton(Request(id: id)))
      }
      defer { request.closeNow() }
      let handler = try request.get(Handler.self)
      #expect(handler.answer == "user of 127.0.0.1 asks for \(id)" && handler.database === handler.session.database)
    }
    #expect(
      log.lines == [
        "connect", "begin 1", "commit 1", "begin 2", "commit 2",
      ])
    services.closeNow()
    #expect(log.lines.last == "disconnect")
  }

  @Test("serves as a session that ends at logout, and keeps nothing of the user")
  func sessions() throws {
    let app = Injector("app")
    try app.register(as: User.self, injectable: .providedByScope)
    try app.register(injectable: .scoped(wiring: Account.init))
    try app.seal()
    weak var account: Account?
    var session: Injector? = try app.makeScope("session") {
      try $0.register(injectable: .singleton(User(name: "ada")))
    }
    account = try session?.get(Account.self)
    #expect(account?.user.name == "ada")
    session?.closeNow()
    #expect(account == nil)
    session = try app.makeScope("session") { try $0.register(injectable: .singleton(User(name: "bo"))) }
    #expect(try session?.get(Account.self).user.name == "bo")
  }
}

private struct Request: Sendable {
  let id: Int
}

private final class Database: Sendable {
  let address = "127.0.0.1"
}

private final class Session: Sendable {
  let database: Database
  let request: Request

  init(_ database: Database, _ request: Request) {
    self.database = database
    self.request = request
  }
}

private struct Handler: Sendable {
  let session: Session
  let database: Database

  var answer: String { "user of \(database.address) asks for \(session.request.id)" }
}

private func makeServer(log: Log) throws -> Injector {
  let services = Injector("services")
  try services.register(
    as: Database.self,
    injectable: .lazySingleton {
      log.add("connect")
      return Database()
    }.onClose { _ in log.add("disconnect") })
  try services.register(as: Request.self, injectable: .providedByScope)
  try services.register(
    as: Session.self,
    injectable: .scoped(
      wiring: { (database: Database, request: Request) in
        log.add("begin \(request.id)")
        return Session(database, request)
      }
    ).onClose { log.add("commit \($0.request.id)") })
  try services.register(injectable: .factory(wiring: Handler.init))
  return services
}

private struct User: Sendable {
  let name: String
}

private final class Account: Sendable {
  let user: User

  init(user: User) {
    self.user = user
  }
}
