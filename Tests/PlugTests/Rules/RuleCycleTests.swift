import Plug
import PlugKeys
import PlugOperations
import Synchronization
import TestSupport
import Testing

private struct Choice: Sendable {
  let name: String
}

extension Injector.Tag {
  fileprivate static func level(_ number: Int) -> Injector.Tag { Injector.Tag(rawValue: "\(number)") }
}

@Suite("Rules that get services", .timeLimit(.minutes(10)))
struct RuleCycleTests {
  private let injector = Injector("services")

  /// A rule that gets a service from the injector.
  private func needs(_ name: String, _ body: @escaping @Sendable (Injector) throws -> Void) -> Rule<Injector> {
    Rule(name) { injector in
      try body(injector)
      return true
    }
  }

  private func register(_ tag: Injector.Tag, when rule: Rule<Injector>) throws {
    try injector.contribute(
      Choice.self, tag: tag, .factory { Choice(name: "\(tag)") }, when: rule, id: "only")
  }

  private func path(_ body: () throws -> some Any) -> [String]? {
    do {
      _ = try body()
    } catch InjectorError.circularDependency(_, let path) {
      return path
    } catch {
      Issue.record(error)
    }
    return nil
  }

  @Test("throw a circular dependency if one gets its own service, in every form of request")
  func ownService() throws {
    try register("a", when: needs("a") { _ = try $0.get(Choice.self, tag: "a") })
    let circle = ["Choice (tag \"a\")", "Choice (tag \"a\")"]
    #expect(path { try injector.get(Choice.self, tag: "a") } == circle)
    #expect(path { try injector.get(Choice.self, tag: "a", in: injector) } == circle)
    #expect(path { try injector.getAll(Choice.self, tag: "a") } == circle)
    #expect(path { try injector.getAll(Choice.self, tag: "a", in: injector) } == circle)
    #expect(path { try injector.get([String: Choice].self, tag: "a") } == circle)
    #expect(path { try injector.makeScope("scope").get(Choice.self, tag: "a") } == circle)
  }

  @Test("throw a circular dependency if two get each other's service")
  func twoServices() throws {
    try register("a", when: needs("a") { _ = try $0.get(Choice.self, tag: "b") })
    try register("b", when: needs("b") { _ = try $0.getAll(Choice.self, tag: "a") })
    #expect(
      path { try injector.get(Choice.self, tag: "a") }
        == ["Choice (tag \"a\")", "Choice (tag \"b\")", "Choice (tag \"a\")"])
    #expect(
      path { try injector.get(Choice.self, tag: "b") }
        == ["Choice (tag \"b\")", "Choice (tag \"a\")", "Choice (tag \"b\")"])
  }

  @Test("throw a circular dependency also behind a composition, a gate and a factory")
  func behindOthers() throws {
    try injector.register(as: Int.self) { injector in
      _ = try injector.get(Choice.self, tag: "a")
      return 1
    }
    let rule = needs("number") { _ = try $0.get(Int.self) }
    try injector.register(
      PluginPoint<Choice, Injector>("outer", when: !(!rule && .always)) {
        Candidate("only") { Choice(name: "only") }
      }, tag: "a")
    #expect(
      path { try injector.get(Choice.self, tag: "a") } == ["Choice (tag \"a\")", "Int", "Choice (tag \"a\")"])
  }

  @Test("that depend on themselves leave a candidate without a rule available")
  func fallback() throws {
    try register("a", when: needs("a") { _ = try $0.get(Choice.self, tag: "a") })
    try injector.register(tag: "a", injectable: .factory { Choice(name: "fallback") })
    #expect(try injector.get(Choice.self, tag: "a").name == "fallback")
    #expect(try injector.getAll(Choice.self, tag: "a").map(\.name) == ["fallback"])
  }

  @Test("are unsatisfied, not circular, if only a nested choice met a cycle and chose a fallback")
  func handledElsewhere() throws {
    try register("b", when: needs("b") { _ = try $0.get(Choice.self, tag: "b") })
    try injector.register(tag: "b", injectable: .factory { Choice(name: "fallback") })
    try register("a", when: needs("b") { _ = try $0.get(Choice.self, tag: "b") } && .never)
    guard case .failure(.noCandidate) = injector.outcome(Choice.self, tag: "a") else {
      Issue.record("There is no cycle here.")
      return
    }
  }

  @Test("throw a circular dependency if one explains its own service")
  func explanation() throws {
    let point = Holder<PluginPoint<Choice, Int>?>(nil)
    let reasons = Log()
    let asking = PluginPoint<Choice, Int>("asking") {
      Candidate("only") { Choice(name: "only") }
        .when(
          Rule("asks itself") { context in
            if let explanation = point.value?.explain(in: context) {
              reasons.add("\(explanation)")
              return false
            }
            return true
          })
    }
    point.set(asking)
    #expect(
      "\(asking.explain(in: 0))" == """
        asking in Int: 0 of 1 apply, selected: none
          only: ruled out
            - asks itself
        """)
    let text = """
      asking in Int: 0 of 1 apply, selected: none
        only: ruled out
          ? asks itself (Choice depends on itself: Choice → Choice.
      """
    #expect(reasons.lines.map { $0.split(separator: "\n").prefix(3).joined(separator: "\n") } == [text])
  }

  @Test("of an injector throw a circular dependency if one explains its own service")
  func registeredExplanation() throws {
    try register("a", when: needs("a") { _ = try $0.explain(Choice.self, tag: "a", in: $0) })
    let circle = ["Choice (tag \"a\")", "Choice (tag \"a\")"]
    #expect(path { try injector.get(Choice.self, tag: "a") } == circle)
    let explanation = try injector.explain(Choice.self, tag: "a")
    #expect(explanation.elements[0].rule?.outcome == .indeterminate)
    #expect(explanation.elements[0].verdict == .ruledOut)
  }

  @Test("end the selections of a service with the circular dependency")
  func selections() async throws {
    try register("a", when: needs("a") { _ = try $0.get(Choice.self, tag: "a") })
    var iterator = injector.selections(of: Choice.self, tag: "a").makeAsyncIterator()
    await #expect(throws: InjectorError.self) { try await iterator.next() }
  }

  @Test("throw a circular dependency in a standalone point and in a load")
  func elsewhere() async throws {
    let point = Holder<PluginPoint<Choice, Int>?>(nil)
    let asking = PluginPoint<Choice, Int>("asking") {
      Candidate("only") { Choice(name: "only") }
        .when(Rule("asks itself") { _ in try point.value.map { try $0.get(in: 1).name == "only" } ?? false })
    }
    point.set(asking)
    #expect(path { try asking.get(in: 0) } == ["Choice", "Choice"])
    #expect(path { try asking.getAll(in: 0) } == ["Choice", "Choice"])

    try register("a", when: needs("a") { _ = try $0.get(Choice.self, tag: "a") })
    do throws(InjectorError) {
      _ = try await injector.load(Choice.self, tag: "a")
      Issue.record("The load should have failed.")
    } catch {
      if case .circularDependency = error { return }
      Issue.record(error)
    }
  }

  /// Registers a chain of services. The rule of each needs the next service, and the last is missing.
  private func chain(_ length: Int, _ count: Counter) throws {
    for number in 0..<length {
      try register(
        .level(number),
        when: needs("\(number)") { injector in
          count.increment()
          _ = try injector.get(Choice.self, tag: .level(number + 1))
        })
    }
  }

  @Test("fail in linear time if each needs the next service and the last is missing", arguments: [18, 200])
  func chains(_ length: Int) throws {
    let count = Counter()
    try chain(length, count)
    let error = #expect(throws: InjectorError.self) { try injector.get(Choice.self, tag: .level(0)) }
    guard case .noCandidate(_, let explanation) = try #require(error) else { throw try #require(error) }
    #expect(count.value <= 8 * length)
    #expect(explanation.elements[0].rule?.outcome == .indeterminate)
    #expect(explanation.elements[0].verdict == .ruledOut)
  }

  @Test("fail in linear time if each context needs the next choice", arguments: [18, 200])
  func contexts(_ length: Int) throws {
    let count = Counter()
    let injectors = (0...length).map { Injector(Injector.Name(rawValue: "\($0)")) }
    for number in 0..<length {
      let next = injectors[number + 1]
      try injectors[number].register(
        as: Int.self,
        injectable: .factory {
          count.increment()
          return (try? next.get(Choice.self)) == nil ? 0 : 1
        })
      try injectors[number].contribute(
        Choice.self, .factory { Choice(name: "never") }, when: Rule<Int>("is next") { $0 == 1 })
    }
    #expect(throws: InjectorError.self) { try injectors[0].get(Choice.self) }
    #expect(count.value <= 8 * length)
  }

  @Test("fail in linear time under a load", arguments: [18, 200])
  func loads(_ length: Int) async throws {
    let count = Counter()
    try chain(length, count)
    await #expect(throws: InjectorError.self) { try await injector.load(Choice.self, tag: .level(0)) }
    #expect(count.value <= 8 * length)
  }

  @Test("are not evaluated to explain a failure that another rule catches")
  func unexplained() throws {
    let seen = Log()
    try register("inner", when: .never)
    try register(
      "outer",
      when: needs("needs inner") { injector in
        do {
          _ = try injector.get(Choice.self, tag: "inner")
        } catch InjectorError.noCandidate(_, let explanation) {
          seen.add("\(explanation)")
        }
        throw Failure()
      })
    #expect(throws: InjectorError.self) { try injector.get(Choice.self, tag: "outer") }
    #expect(
      seen.lines == [
        "Choice in Injector: 0 of 1 apply, selected: none\n  only: not evaluated",
        "Choice in Injector: 0 of 1 apply, selected: none\n  only: not evaluated",
      ])
  }

  @Test("have ended when a tracer receives the selection")
  func tracing() throws {
    try register("a", when: needs("nothing") { _ in })
    let seen = Log()
    injector.tracer = { [weak injector] event in
      guard case .selected = event.kind, let injector else { return }
      injector.tracer = nil
      seen.add((try? injector.get(Choice.self, tag: "a").name) ?? "cycle")
    }
    _ = try injector.get(Choice.self, tag: "a")
    #expect(seen.lines == ["a"])
  }
}

/// A value that is set once and read from any thread.
private final class Holder<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) {
    state = Mutex(value)
  }

  var value: Value { state.withLock { $0 } }

  func set(_ value: Value) {
    state.withLock { $0 = value }
  }
}
