import PlugKeys
import PlugOperations
import TestSupport
import Testing

@testable import Plug

#if canImport(PlugOperations)
  @testable import PlugOperations
#endif

private let headline = "String [semantic] could not be made: boom"

@Suite("A candidate that fails")
struct FailurePolicyTests {
  @Test("throws its error by default, and with the policy .throw", arguments: [false, true])
  func rethrowing(isSaid: Bool) throws {
    let services = Injector("services")
    let candidate = Candidate<String, Injector>("semantic") { throw Boom() }
    try services.register(
      FailingPoint("search") {
        isSaid ? candidate.onFailure(.throw) : candidate
        Candidate("catalogue") { "catalogue" }
      })
    let error = #expect(throws: InjectorError.self) { try services.get(String.self) }
    guard case .constructionFailed(let facts, let underlying) = error else { throw try #require(error) }
    #expect(facts.candidate == "semantic")
    #expect(underlying is Boom)
    #expect(try services.semantic().failure == nil)
  }

  @Test("is passed over this time, and its error appears in the trace, the exposure and the explanation")
  func skipping() throws {
    let (services, fault, log) = (Injector("services"), Fault(), Log())
    try services.register(failingPoint(fault, .skip))
    try services.seal()
    services.tracer = { event in
      if case .constructed = event.kind { return log.add("constructed \(event.service)") }
      log.add("\(event)")
    }
    let token = services.onSelection { log.add("\($0)") }
    #expect(try services.get(String.self) == "catalogue")
    services.tracer = nil
    let element = try services.semantic()
    let failure = try #require(element.failure)
    #expect(failure == Explanation.Failure(count: 1, error: headline, time: failure.time, quarantine: nil))
    #expect(failure.time > 1_700_000_000)
    #expect(element.verdict == .selected)
    #expect("\(element)" == "semantic: selected, failed once, at \(timestamp(failure.time)): \(headline)")
    #expect(try services.get(String.self) == "catalogue")
    fault.isOn = false
    #expect(try services.get(String.self) == "semantic")
    #expect(try services.semantic().failure == nil)
    let exposure = "catalogue at search: others failed (semantic: \(headline))"
    #expect(
      log.lines == [
        "selected semantic for String", "failed String [semantic]: \(headline)", "selected catalogue for String",
        "constructed String [catalogue]", exposure, "resolved String", exposure, "semantic at search: rule",
      ])
    withExtendedLifetime(token) {}
  }

  @Test("leaves the choice to the switches that were set when the choice began", arguments: [false, true])
  func switching(isWatched: Bool) throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Injector>("search") {
        Candidate(
          "semantic",
          .factory { injector in
            injector[Switches.self] = Switches([Switches.Switch("backup", at: "search", .disabled, because: "INC-8")])
            throw Boom()
          }
        ).onFailure(.skip)
        Candidate("catalogue") { "catalogue" }
        Candidate("backup") { "backup" }
      })
    try services.disable("catalogue", at: "search", because: "INC-7")
    let token = isWatched ? services.onSelection { _ in } : nil
    #expect(try services.get(String.self) == "backup")
    #expect(try services.get(String.self) == "catalogue")
    withExtendedLifetime(token) {}
  }

  @Test("is not tried for a while after several failures in a row; then one choice tries it again")
  func quarantine() throws {
    let (services, fault, clock) = (Injector("services"), Fault(), TestClock())
    try services.register(failingPoint(fault, .quarantine(after: 2, for: .seconds(60), clock: clock)))
    func get(tries: Int) throws -> String {
      let service = try services.get(String.self)
      #expect(fault.tries == tries)
      return service
    }
    #expect(try get(tries: 1) == "catalogue")
    fault.isOn = false
    #expect(try get(tries: 2) == "semantic")
    fault.isOn = true
    #expect(try get(tries: 3) == "catalogue")
    #expect(try services.semantic().verdict == .selected)
    #expect(try get(tries: 4) == "catalogue")
    clock.advance(by: .milliseconds(59_500))
    #expect(try get(tries: 4) == "catalogue")
    let element = try services.semantic()
    let failure = try #require(element.failure)
    #expect(failure == Explanation.Failure(count: 2, error: headline, time: failure.time, quarantine: 0.5))
    #expect((element.verdict, element.rank) == (.quarantined, nil))
    #expect(
      "\(element)" == """
        semantic: quarantined, failed 2 times in a row, at \(timestamp(failure.time)): \(headline), \
        not tried for 0.50 s
        """)
    clock.advance(by: .milliseconds(500))
    #expect(try services.semantic().verdict == .selected)
    #expect(try get(tries: 5) == "catalogue")
    #expect(try services.semantic().failure?.quarantine == 60)
    clock.advance(by: .seconds(60))
    fault.isOn = false
    #expect(try get(tries: 6) == "semantic")
    fault.isOn = true
    #expect(try get(tries: 7) == "catalogue")
    #expect(try services.semantic().failure?.count == 1)
    #expect(try get(tries: 8) == "catalogue")
    #expect(try get(tries: 8) == "catalogue")
  }

  @Test("is on trial in one choice at a time, and again in the next one if the trial was inconclusive")
  func trial() throws {
    let (services, closed, clock, log) = (Injector("services"), Injector("closed"), TestClock(), Log())
    closed.closeNow()
    let semantic = Injection<String>.factory { services in
      log.add("tried")
      if clock.now.offset == .zero { throw Boom() }
      // Requests while the candidate is on trial.
      log.add(try services.get(String.self))
      log.add("\(try services.semantic().verdict)")
      return try closed.get(String.self)
    }
    try services.register(
      FailingPoint("search") {
        Candidate("semantic", semantic).onFailure(.quarantine(after: 1, for: .seconds(1), clock: clock))
        Candidate("catalogue", .factory { "catalogue" })
      })
    #expect(try services.get(String.self) == "catalogue")
    clock.advance(by: .seconds(1))
    for _ in 0..<2 {
      let error = #expect(throws: InjectorError.self) { try services.get(String.self) }
      guard case .closed = error else { throw try #require(error) }
    }
    #expect(log.lines == ["tried"] + Array(repeating: ["tried", "catalogue", "quarantined"], count: 2).flatMap(\.self))
    #expect(try services.semantic().failure?.count == 1)
  }

  @Test("is passed over in requests for all candidates, and throws its error if no other one can be chosen")
  func others() throws {
    let (services, fault) = (Injector("services"), Fault())
    try services.register(failingPoint(fault, .skip))
    #expect(try services.getAll(String.self) == ["catalogue"])
    #expect(try services.get([String: String].self) == ["catalogue": "catalogue"])
    try services.disable("catalogue", at: "search", because: "INC-7")
    let error = #expect(throws: InjectorError.self) { try services.get(String.self) }
    guard case .constructionFailed(let facts, _) = error else { throw try #require(error) }
    #expect(facts.candidate == "semantic")
    #expect(try services.getAll(String.self) == [])
    let quarantined = Injector("quarantined")
    try quarantined.register(
      FailingPoint("search") {
        Candidate("semantic", .factory { throw Boom() })
          .onFailure(.quarantine(after: 1, for: .seconds(1), clock: TestClock()))
      })
    #expect(throws: InjectorError.self) { try quarantined.get(String.self) }
    let none = #expect(throws: InjectorError.self) { try quarantined.get(String.self) }
    guard case .noCandidate(_, let explanation) = none else { throw try #require(none) }
    #expect(explanation.elements.first?.elements.map(\.verdict) == [.quarantined])
    #expect(quarantined[String.self] == nil)
  }

  @Test("gives way to other candidates and the registration without a rule, even if it was drawn or forced")
  func choices() throws {
    let (services, fault) = (Injector("services"), Fault())
    try services.register(
      PluginPoint<String, String>("search") {
        Candidate("semantic", .factory { try fault.make("semantic") }).weight(1, by: \.self).onFailure(.skip)
        Candidate("remote", .factory { try fault.make("remote") }).weight(1_000_000, by: \.self).onFailure(.skip)
      })
    try services.register(injectable: .factory { "plain" })
    let exposures = Setting<[Exposure]>()
    let token = services.onSelection { exposures.set((exposures.value ?? []) + [$0]) }
    #expect(try services.get(String.self, in: "p-17") == "plain")
    try services.force("semantic", at: "search", because: "INC-7")
    #expect(try services.get(String.self, in: "p-17") == "plain")
    let failures = ["remote", "semantic"].map {
      Exposure.Failure(candidate: $0, error: "String [\($0)] could not be made: boom")
    }
    #expect(exposures.value?.map(\.failures) == [failures, failures.reversed()])
    #expect(exposures.value?.map(\.reason) == [.othersFailed, .othersFailed])
    withExtendedLifetime(token) {}
  }

  @Test("shares its failure count among all scopes, even when more candidates are registered")
  func scopes() throws {
    let (services, fault, clock) = (Injector("services"), Fault(), TestClock())
    let policy = FailurePolicy.quarantine(after: 2, for: .seconds(60), clock: clock)
    try services.register(failingPoint(fault, policy) { fault in .scoped { try fault.make("semantic") } })
    try services.decorate(String.self, id: "marks") { service, _ in service + "!" }
    let scopes = (0..<3).map { services.makeScope("scope \($0)") }
    #expect(try scopes[0].get(String.self) == "catalogue!")
    try services.contribute(
      String.self, .factory { "more" }, when: Rule<Injector>.never, id: "more")
    #expect(try scopes[1].get(String.self) == "catalogue!")
    fault.isOn = false
    #expect(try scopes[2].get(String.self) == "catalogue!")
    #expect(fault.tries == 2)
    clock.advance(by: .seconds(60))
    #expect(try scopes.map { try $0.get(String.self) } == ["semantic!", "semantic!", "semantic!"])
  }

  @Test("is passed over if a dependency is missing, also in a point that is used without an injector")
  func dependency() throws {
    let point = PluginPoint<String, Int>("search") {
      Candidate("semantic", .factory(wiring: { (number: Duration) in "semantic" })).onFailure(.skip)
      Candidate("catalogue", .factory { "catalogue" })
    }
    #expect(point.first(in: 1) == "catalogue")
    #expect(point.plugins(in: 1) == ["catalogue"])
    let services = Injector("services")
    try services.register(point)
    #expect(try services.get(String.self, in: 1) == "catalogue")
  }

  @Test("is not passed over if it is part of a circle")
  func circle() throws {
    let services = Injector("services")
    try services.register(
      FailingPoint("search") {
        Candidate("semantic", .factory { services in "\(try services.get(Int.self))" }).onFailure(.skip)
        Candidate("catalogue", .factory { "catalogue" })
      })
    try services.register(injectable: Injection<Int>.factory { services in try services.get(String.self).count })
    #expect(services.outcome(String.self).circularPath == ["String [semantic]", "Int", "String [semantic]"])
  }

  @Test("counts as not selected while in quarantine, for dependent rules and sequences of selections")
  func prerequisites() async throws {
    let (services, fault) = (Injector("services"), Fault())
    try services.register(failingPoint(fault, .quarantine(after: 1, for: .seconds(60), clock: TestClock())))
    try services.register(
      PluginPoint<Int, Injector>("depth") {
        Candidate("deep", .factory { 2 }).when(.selected("semantic", at: "search"))
        Candidate("flat", .factory { 1 })
      })
    #expect(try services.get(Int.self) == 2)
    #expect(try services.get(String.self) == "catalogue")
    #expect(try services.get(Int.self) == 1)
    var selections = services.selections(of: String.self).makeAsyncIterator()
    #expect(try await selections.next() == "catalogue")
  }

  @Test("counts one failure for overlapping choices")
  func overlap() {
    var state = HealthState()
    let policy = FailurePolicy.quarantine(after: 2, for: .seconds(1)).quarantine
    let failure = HealthState.Failure(text: "boom", time: 0)
    let tickets = (0..<3).compactMap { _ in state.admit(at: .zero) }
    state.fail(tickets[0], failure, policy, at: .zero)
    state.fail(tickets[1], failure, policy, at: .zero)
    #expect(state.failures == 1)
    let late = state.admit(at: .zero)
    state.succeed(tickets[2])
    #expect(state.failures == 1)
    if let late { state.succeed(late) }
    #expect(state.failures == 0)
    #expect(tickets.count == 3)
  }
}
