import TestSupport
import Testing

@testable import Plug

private func pipeline(_ candidates: Candidate<String, Guest>...) -> PluginPoint<String, Guest> {
  PluginPoint("pipeline") { for candidate in candidates { candidate } }
}

private func step(_ id: String, priority: Int = 0) -> Candidate<String, Guest> {
  Candidate(id, .factory { id }, priority: priority)
}

@Suite("Candidates with an order")
struct CandidateOrderTests {
  @Test("come after and before others, whatever their priorities")
  func order() throws {
    let point = pipeline(
      step("log").after("render"), step("render", priority: -1).after("auth"), step("auth"),
      step("cors").before("auth"), step("first", priority: 5))
    #expect(try point.getAll(in: Guest()) == ["first", "cors", "auth", "render", "log"])
    #expect(
      point.explain(in: Guest()).description == """
        pipeline in Guest: 5 of 5 apply, selected: first
          log: available as number 5, after render
          render: available as number 4, priority -1, after auth
          auth: available as number 3
          cors: available as number 2, before auth
          first: selected, priority 5
        """)
  }

  @Test("stay as declared where nothing else is said")
  func stable() throws {
    let point = pipeline(step("c"), step("a"), step("b").after("nothing"), step("d", priority: 1))
    #expect(try point.getAll(in: Guest()) == ["d", "c", "a", "b"])
  }

  @Test("that are registered later find their places, too")
  func registeredLater() throws {
    let services = Injector("services")
    try services.register(pipeline(step("render").after("auth"), step("log").after("render")))
    try services.register(
      as: String.self, injectable: .factory { "auth" }, when: Rule<Guest>.enabled, id: "auth")
    try services.register(as: String.self, injectable: .factory { "fallback" })
    #expect(try services.getAll(String.self, in: Guest()) == ["auth", "render", "log", "fallback"])
    try services.unregister(type: String.self, candidate: "auth")
    #expect(try services.getAll(String.self, in: Guest()) == ["render", "log", "fallback"])
  }

  @Test("in a circle are a problem, and keep all orders but one")
  func circle() throws {
    let services = Injector("services")
    try services.register(
      pipeline(
        step("a").after("c"), step("b").after("a"), step("c").after("b"), step("d").after("d"), step("e").after("c")),
      tag: "steps")
    #expect(try services.getAll(String.self, tag: "steps", in: Guest()) == ["a", "b", "c", "e", "d"])
    let error = #expect(throws: InjectorError.self) { try services.validate() }
    guard case .invalid(_, let report) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(report.problems.map(\.kind) == [.circularOrder, .circularOrder])
    #expect(report.problems.map(\.details) == [["a", "b", "c", "a"], ["d", "d"]])
    #expect(
      report.problems[0].description == """
        Candidates of String (tag "steps") are to come after each other: a → b → c → a.
        at \(report.problems[0].registeredAt)
        Remove one of the orders.
        """)
  }

  @Test("that name no candidate are a warning")
  func unknown() throws {
    let services = Injector("services")
    try services.register(pipeline(step("a").after("b", "x").before("y"), step("b")), tag: "steps")
    let warnings = try services.validate().warnings.filter { $0.kind == .unknownOrder }
    #expect(warnings.map(\.details) == [["x", "y"]])
    #expect(warnings.map(\.subject) == ["String (tag \"steps\") [a]"])
  }

  @Test("are sorted as a topological sort sorts them that takes the first that may come")
  func random() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<500 {
      let count = Int.random(in: 1...9, using: &random)
      var after = Array(repeating: Set<Int>(), count: count)
      var candidates = (0..<count).map { (id: "\($0)", order: CandidateOrder()) }
      for _ in 0..<Int.random(in: 0...count * 2, using: &random) {
        let (one, other) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
        // Orders along a shuffled sequence form no circle.
        guard (one * 7 + 3) % 10 < (other * 7 + 3) % 10 else { continue }
        after[other].insert(one)
        if Bool.random(using: &random) {
          candidates[other].order.after.append("\(one)")
        } else {
          candidates[one].order.before.append("\(other)")
        }
      }
      var expected: [Int] = []
      while let next = (0..<count).first(where: { !expected.contains($0) && after[$0].isSubset(of: expected) }) {
        expected.append(next)
      }
      let sort = CandidateSort(candidates)
      #expect(sort.places == expected)
      #expect(sort.circles.isEmpty && sort.unknown.isEmpty)
    }
  }

  @Test("whatever they are stand there once each", .timeLimit(.minutes(10)))
  func anything() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let count = Int.random(in: 1...9, using: &random)
      let candidates = (0..<count).map { number in
        let id = { "\(Int.random(in: 0..<count, using: &random))" }
        return (
          id: "\(number)", order: CandidateOrder(after: [id()], before: Bool.random(using: &random) ? [id()] : [])
        )
      }
      #expect(CandidateSort(candidates).places.sorted() == Array(0..<count))
    }
    let many = (0..<5_000).map { number in
      (id: "\(number)", order: CandidateOrder(after: number > 0 ? ["\(number - 1)"] : []))
    }
    #expect(CandidateSort(many.reversed()).places == Array((0..<5_000).reversed()))
  }

  @Test("that a test forces come first all the same")
  func forced() throws {
    let services = Injector("services")
    try services.register(pipeline(step("a").before("b"), step("b").after("a"), step("c").after("b")))
    try Sandbox.run { _ in
      try services.override(candidate: "b", at: "pipeline", .forced)
      #expect(try services.getAll(String.self, in: Guest()) == ["b", "a", "c"])
    }
  }
}
