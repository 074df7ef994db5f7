import Foundation
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Shopper: Sendable, Identifiable {
  var id: String
}

@Suite("The report of an injector")
struct ReportTests {
  @Test("shows the state, switches, failures, selections and graph, and can be read back from JSON")
  func report() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Shopper>("search") {
        Candidate("semantic", .factory { throw Boom() })
          .onFailure(.quarantine(after: 1, for: .seconds(60), clock: TestClock()))
        Candidate("remote", .factory { "remote" })
        Candidate("catalogue", .factory { "catalogue" })
      })
    #expect(services.report().state == .open)
    try services.seal()
    try services.disable("remote", at: "search", because: "INC-7", since: 0)
    let plain = services.rememberSelections(last: 2)
    for id in ["p-1", "p-2", "p-3"] { _ = try services.makeScope().get(String.self, in: Shopper(id: id)) }
    let report = services.report()
    let failing = try #require(report.failing.first)
    #expect(report.failing.count == 1)
    #expect((failing.service, failing.candidate, failing.isQuarantined) == ("String", "semantic", true))
    #expect(report.switches == services[Switches.self].list)
    #expect(report.selections.map(\.identifier) == [nil, nil])
    #expect(report.selections.map(\.candidate) == ["catalogue", "catalogue"])
    #expect(report.graph == services.graph())
    #expect((report.injector, report.state, report.loading) == ("services", .sealed, []))
    let decoded = try JSONDecoder().decode(InjectorReport.self, from: JSONEncoder().encode(report))
    #expect(decoded == report)
    #expect(
      report.description.hasPrefix(
        """
        services, sealed
          switches:
            remote at search: disabled since 1970-01-01T00:00:00Z because INC-7
          failing:
            String [semantic]: \(failing.failure)
          selections:
            catalogue at search: others failed (semantic: in quarantine)
            catalogue at search: others failed (semantic: in quarantine)
          graph:

        """))
    plain.cancel()
    #expect(services.report().selections == [])
    services.closeNow()
    #expect(services.report().state == .closed)
  }

  @Test("contains values of a context only if a key path asks for them")
  func identifiers() throws {
    let services = Injector("services")
    try services.register(PluginPoint<String, Shopper>("search") { Candidate("catalogue", .factory { "catalogue" }) })
    try services.register(PluginPoint<Int, Double>("numbers") { Candidate("one", .factory { 1 }) })
    let token = services.rememberSelections(by: \Shopper.id)
    _ = try services.get(String.self, in: Shopper(id: "p-1"))
    _ = try services.get(Int.self, in: 0.5)
    #expect(services.report().selections.map(\.identifier) == ["p-1"])
    withExtendedLifetime(token) {}
  }

  @Test("shows the services that are being loaded")
  func loading() async throws {
    let (services, latch) = (Injector("services"), Latch())
    try services.register(
      injectable: .lazySingleton { () async -> String in
        await latch.wait()
        return "loaded"
      })
    async let loaded = services.load(String.self)
    await latch.arrivals(1)
    #expect(services.report().loading == ["String"])
    latch.open()
    _ = try await loaded
    #expect(services.report().loading == [])
  }

  @Test("shows that instances are being closed, whether or not a caller waits", arguments: [true, false])
  func closing(isAwaited: Bool) async throws {
    let (services, latch) = (Injector("services"), Latch())
    try services.register(injectable: .lazySingleton { "kept" }.onClose { _ in await latch.wait() })
    _ = try services.get(String.self)
    if !isAwaited { services.closeNow() }
    let closing = Task { await services.close() }
    await latch.arrivals(1)
    #expect(services.report().state == .closing)
    latch.open()
    #expect(await closing.value.isEmpty)
    #expect(services.report().state == .closed)
  }

  @Test("explains all services that depend on a context, or one service by name")
  func explanations() throws {
    let services = Injector("services")
    try services.register(PluginPoint<String, Shopper>("search") { Candidate("catalogue", .factory { "catalogue" }) })
    try services.register(
      PluginPoint<Int, Shopper>("numbers") { Candidate("one", .factory { 1 }).when(.equals(\.id, "p-1")) }, tag: "small"
    )
    try services.register(PluginPoint<Int, Double>("numbers") { Candidate("one", .factory { 1 }) })
    try services.register(injectable: .factory { 0.5 })
    let shopper = Shopper(id: "p-1")
    let all = services.explainAll(in: shopper)
    #expect(all.map(\.selected) == ["one", "catalogue"])
    #expect(try services.explain(named: "String", in: shopper) == all[1])
    #expect(try services.explain(named: "Int", tag: "small", in: shopper) == all[0])
    #expect(try services.explain(named: "Double", in: shopper).selected == "default")
    let missing = #expect(throws: InjectorError.self) { try services.explain(named: "Strin", in: shopper) }
    #expect(missing?.facts.nearest == "String")
    let mismatch = #expect(throws: InjectorError.self) { try services.explain(named: "Int", in: shopper) }
    guard case .contextMismatch(_, "Double", "Shopper") = mismatch else { throw try #require(mismatch) }
  }
}
