import Plug
import PlugOperations
import TestSupport
import Testing

private struct Shopper: Sendable {
  var id = "p-1"
}

@Suite("Observers of an injector")
struct ObserverTests {
  private func makePoint() -> PluginPoint<Int, Shopper> {
    PluginPoint("numbers") { Candidate("one", .factory { 1 }) }
  }

  @Test("also see the requests of tasks that they start")
  func tasks() async throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(makePoint())
    let (stream, continuation) = AsyncStream.makeStream(of: Task<Void, any Error>.self)
    let token = services.onSelection { exposure in
      log.add(exposure.candidate)
      if log.lines.count > 1 { return }
      continuation.yield(Task.detached { _ = try services.get(Int.self, in: Shopper()) })
      continuation.yield(Task { _ = try services.get(Int.self, in: Shopper()) })
      continuation.finish()
    }
    _ = try services.get(Int.self, in: Shopper())
    for await task in stream { try await task.value }
    #expect(log.lines == ["one", "one", "one"])
    withExtendedLifetime(token) {}
  }

  @Test("may request services themselves")
  func requests() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(makePoint())
    try services.register(injectable: .singleton("text"))
    services.tracer = { [unowned services] event in
      log.add("\(event.service) \(services[String.self] ?? "")")
    }
    _ = try services.get(String.self)
    services.tracer = nil
    #expect(log.lines == ["String text"])
  }

  @Test("of a scope see its instances close when the scope is released")
  func released() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(injectable: .scoped { 1 })
    func use() throws {
      let scope = services.makeScope("request")
      scope.tracer = { log.add("\($0.injector ?? "") \($0)") }
      _ = try scope.get(Int.self)
    }
    try use()
    #expect(log.lines.last == "services/request closed Int")
  }

  @Test("of a scope see requests for services of a sealed outer injector, also from scopes that were opened earlier")
  func sealed() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(injectable: .singleton("text"))
    try services.seal()
    let scope = services.makeScope("outer")
    let inner = scope.makeScope("inner")
    let token = scope.trace { log.add("\($0.injector ?? "") \($0)") }
    _ = try inner.get(String.self)
    _ = try services.get(String.self)
    token.cancel()
    _ = try inner.get(String.self)
    #expect(log.lines == ["services/outer/inner resolved String"])
  }

  @Test("that are set before the injector is sealed see the requests after the sealing")
  func sealedLater() throws {
    let (services, log) = (Injector("services"), Log())
    try services.register(injectable: .singleton("text"))
    services.tracer = { log.add("\($0)") }
    try services.seal()
    _ = try services.get(String.self)
    #expect(log.lines == ["resolved String"])
  }
}
