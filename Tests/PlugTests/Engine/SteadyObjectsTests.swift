import TestSupport
import Testing

@testable import Plug

@Suite("What the rules of a choice have read")
struct SteadyObjectsTests {
  private final class First: Sendable {}
  private final class Second: Sendable {}
  private struct Service: Sendable {}
  private struct Other: Sendable {}

  /// Notes the objects that rules have seen, by their identities.
  private final class Seen: Sendable {
    private let objects = Locked<[any AnyObject & Sendable]>([])

    var count: Int { objects.withLock { $0.count } }
    var differentCount: Int { objects.withLock { Set($0.map { ObjectIdentifier($0) }).count } }
    func add(_ object: any AnyObject & Sendable) { objects.withLock { $0.append(object) } }
  }

  private let services = Injector("services")
  private let seen = Seen()

  private func rule(_ name: String) -> Rule<Int> {
    Rule(name) { [seen] _, injector in
      seen.add(try injector.steady { First() })
      return false
    }
  }

  @Test("stays the same for all of them, until the choice ends")
  func choice() throws {
    try services.register(
      PluginPoint<Service, Int>("service") {
        PluginPoint("inner", when: !rule("gate")) {
          Candidate("first") { Service() }.when(rule("first"))
        }
        Candidate("second") { Service() }.when(rule("second") || rule("third"))
      })
    #expect(try services.getAll(Service.self, in: 1).isEmpty)
    #expect(seen.count == 4 && seen.differentCount == 1)
    _ = try services.explain(Service.self, in: 1)
    #expect(seen.differentCount == 2)
    _ = try services.getAll(Service.self, in: 1)
    #expect(seen.differentCount == 3)
  }

  @Test("stays the same in the choices that a rule asks for, and in what goes on after them")
  func nested() throws {
    try services.register(
      PluginPoint<Other, Int>("other") { Candidate("other") { Other() }.when(rule("first")) })
    try services.register(
      PluginPoint<Service, Int>("service") {
        Candidate("service") { Service() }.when(.selected("other", at: "other") || rule("second"))
      })
    #expect(try services.getAll(Service.self, in: 1).isEmpty)
    #expect(seen.count == 2 && seen.differentCount == 1)
  }

  @Test("is one for each injector and each type")
  func several() throws {
    let (scope, services, seen) = (services.makeScope("request"), services, seen)
    let rule = Rule<Int>("rule") { _, injector in
      for asked in [injector, services, injector, services] { seen.add(try asked.steady { First() }) }
      for asked in [injector, services] { seen.add(try asked.steady { Second() }) }
      return true
    }
    try services.register(PluginPoint<Service, Int>("service") { Candidate("a") { Service() }.when(rule) })
    _ = try scope.get(Service.self, in: 1)
    #expect(seen.count == 6 && seen.differentCount == 4)
  }

  @Test("is found each time outside of a choice")
  func outside() throws {
    for _ in 0..<3 { seen.add(try services.steady { First() }) }
    #expect(rule("alone").evaluate(in: 1, from: services) == .unsatisfied)
    #expect(seen.differentCount == 4)
  }
}
