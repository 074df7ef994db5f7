import Observation
import Testing

@testable import Plug

private struct Request: Sendable {
  let isValid: Bool
  let log: Log
}

private struct Refused: Error {}

private final class Transaction: Sendable {
  let log: Log
  private let isCommitted = Guarded(false)

  init(request: Request) {
    log = request.log
  }

  func commit() {
    isCommitted.withLock { $0 = true }
    log.add("committed")
  }

  func rollBack() {
    if !isCommitted.withLock({ $0 }) { log.add("rolled back") }
  }
}

private struct Handler: Sendable {
  let request: Request
  let transaction: Transaction

  func answer() throws -> String {
    guard request.isValid else { throw Refused() }
    return "answer"
  }
}

private struct Proxied: Networking {
  let proxy: Proxy
  var name: String { "proxied" }
}
private struct Offline: Networking { let name = "offline" }
private struct Proxy: Sendable {}

extension Injector.Name {
  fileprivate static let services: Self = "services of the guides"
}

@MainActor @Observable
private final class ViewModel {
  @ObservationIgnored @Injected(.services) var network: any Networking
  var title = ""
}

@MainActor
private final class MainActorPage {
  @Injected(.services) var network: any Networking
}

private actor Worker {
  @Injected(.services) var network: any Networking
  var host: String { network.name }
}

private final class Downloader: Sendable {
  let network = Injected<any Networking>(.services)

  var host: String { network.wrappedValue.name }
}

// Two of the tests name an injector alike.
@Suite("The code of the guides", .serialized)
struct GuideTests {
  private func serve(_ request: Request) throws -> String {
    let services = Injector()
    try services.register(as: Request.self, injectable: .providedByScope)
    try services.register(
      injectable: .scoped(wiring: Transaction.init).onClose { $0.rollBack() })
    try services.register(injectable: .scoped(wiring: Handler.init))
    try services.seal()

    let scope = try services.makeScope("request") {
      try $0.register(injectable: .singleton(request))
    }
    defer { scope.closeNow() }
    let answer = try scope.get(Handler.self).answer()
    try scope.get(Transaction.self).commit()
    return answer
  }

  @Test("A unit of work that succeeds is committed, and one that fails is rolled back")
  func unitOfWork() throws {
    let (good, bad) = (Log(), Log())
    #expect(try serve(Request(isValid: true, log: good)) == "answer")
    #expect(throws: Refused.self) { try serve(Request(isValid: false, log: bad)) }
    #expect(good.lines == ["committed"] && bad.lines == ["rolled back"])
  }

  private struct User: Sendable {
    let name: String
  }

  private struct AuditLog {
    @Injected(.current) var user: User
  }

  private func respond() async throws -> String { AuditLog().user.name }

  private func serve(_ user: User, with services: Injector) async throws -> String {
    try await services.withScope("request") { scope in
      try scope.register(injectable: .singleton(user))
      return try await respond()
    }
  }

  @Test("Code far down in a request finds the user of the request")
  func currentScope() async throws {
    let services = Injector()
    async let first = serve(User(name: "Ada"), with: services)
    async let second = serve(User(name: "Bo"), with: services)
    #expect(try await [first, second] == ["Ada", "Bo"])
  }

  @Test("An injected property of an observable class is excluded from observation")
  @MainActor
  func observable() throws {
    let services = Injector(.services)
    try services.register(as: (any Networking).self, injectable: .lazySingleton { HTTPNetworking() })
    let model = ViewModel()
    let log = Log()
    withObservationTracking {
      #expect(model.network.name == "http" && model.title.isEmpty)
    } onChange: {
      log.add("title")
    }
    model.title = "Home"
    #expect(log.lines == ["title"])
  }

  @Test("Isolated classes have injected properties, and other Sendable classes a constant with the wrapper")
  @MainActor
  func sendableClasses() async throws {
    let services = Injector(.services)
    try services.register(as: (any Networking).self, injectable: .lazySingleton { HTTPNetworking() })
    let (page, worker): (any Sendable, any Sendable) = (MainActorPage(), Worker())
    #expect((page as? MainActorPage)?.network.name == "http")
    #expect(await (worker as? Worker)?.host == "http" && Downloader().host == "http")
    withExtendedLifetime(services) {}
  }

  private func connect(_ services: Injector) throws -> any Networking {
    let network: any Networking
    do {
      network = try services.get((any Networking).self)
    } catch InjectorError.notRegistered {
      network = Offline()
    }
    return network
  }

  private func connectDirectly(_ services: Injector) throws -> any Networking {
    let network: any Networking
    do {
      network = try services.get((any Networking).self)
    } catch {
      guard case .notRegistered(let facts) = error, facts.service == "Networking"
      else { throw error }
      network = Offline()
    }
    return network
  }

  @Test("One failure is handled, and others are passed on")
  func handling() throws {
    let services = Injector()
    #expect(try connect(services).name == "offline" && connectDirectly(services).name == "offline")
    try services.register(as: (any Networking).self, injectable: .lazySingleton { Proxied(proxy: try $0.get()) })
    #expect(try connect(services).name == "offline")
    let error = #expect(throws: InjectorError.self) { try connectDirectly(services) }
    #expect(error?.facts.service == "Proxy")
    try services.register(injectable: .singleton(Proxy()))
    #expect(try connect(services).name == "proxied" && connectDirectly(services).name == "proxied")
  }
}

@Suite("What waits by other means", .timeLimit(.minutes(10)))
struct UnseenWaitTests {
  @Test("A task that a factory begins and waits for belongs to the load")
  func task() async throws {
    let services = Injector()
    try services.register(
      as: Proxy.self,
      injectable: .lazySingleton { injector in try await Task { try await injector.load(Proxy.self) }.value })
    let error = await #expect(throws: InjectorError.self) { try await services.load(Proxy.self) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Proxy", "Proxy"])
  }

  @Test("A detached task does not, and a timeout ends the waiting")
  func detached() async throws {
    let (services, clock) = (Injector(), TestClock())
    try services.register(
      as: Proxy.self,
      injectable: .lazySingleton { injector in try await Task.detached { try await injector.load(Proxy.self) }.value })
    let start = Task { try await services.start(timeout: .seconds(1), clock: clock) }
    await clock.sleepers(1)
    // One that came later would wait for the end of the attempt, and the start for as long again.
    await services.waiters(2)
    clock.advance()
    let error = await #expect(throws: InjectorError.self) { try await start.value }
    guard case .timedOut(let facts, let duration) = try #require(error) else { throw try #require(error) }
    #expect(facts.service == "Proxy" && duration == .seconds(1))
  }
}
