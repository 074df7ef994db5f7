import Plug
import TestSupport
import Testing

private struct User: Sendable { let id: String }

@Suite("A choice")
struct RemovedCandidateTests {
  private let injector = Injector("shop", allowRewrite: true)

  @Test("skips a candidate that its own rule unregisters")
  func removedByRule() throws {
    let injector = injector
    let point = PluginPoint<String, Int>("names") {
      Candidate("first", .lazySingleton { "first" }).when(
        Rule("once") { _ in
          _ = try? injector.unregister(String.self, candidate: "first")
          return true
        })
      Candidate("second", .lazySingleton { "second" })
    }
    try injector.register(point)
    #expect(try injector.get(String.self, in: 1) == "second")
    #expect(try injector.getAll(String.self, in: 1) == ["second"])
  }

  @Test("skips a candidate that the factory of an earlier one unregisters, and keeps its instances")
  func removedByFactory() throws {
    let injector = injector
    let point = PluginPoint<String, Int>("names") {
      Candidate(
        "first",
        .factory { inner in
          _ = try? injector.unregister(String.self, candidate: "second")
          return "first"
        })
      Candidate("second", .lazySingleton { "second" })
      Candidate("third", .lazySingleton { "third" })
    }
    try injector.register(point)
    #expect(try injector.getAll(String.self, in: 1) == ["first", "third"])
  }

  @Test("skips a candidate that its own factory unregisters before it fails")
  func removedByItself() throws {
    let injector = injector
    let point = PluginPoint<String, Int>("names") {
      Candidate(
        "first",
        .lazySingleton { _ in
          _ = try? injector.unregister(String.self, candidate: "first")
          return try injector.get(tag: "none")
        })
      Candidate("second", .lazySingleton { "second" })
    }
    try injector.register(point)
    #expect(try injector.get(String.self, in: 1) == "second")
    #expect(try injector.getAll(String.self, in: 1) == ["second"])
  }

  @Test("skips a candidate that its own factory unregisters before it returns, since its instance is closed")
  func removedWhileMade() throws {
    let (injector, closed) = (injector, Counter())
    let point = PluginPoint<String, Int>("names") {
      Candidate(
        "first",
        .lazySingleton { () -> String in
          _ = try? injector.unregister(String.self, candidate: "first")
          return "first"
        }.onClose { _ in closed.increment() })
      Candidate("second", .lazySingleton { "second" })
    }
    try injector.register(point)
    #expect(try injector.get(String.self, in: 1) == "second")
    #expect(closed.value == 1)
    #expect(try injector.getAll(String.self, in: 1) == ["second"])
  }

  @Test("finds another candidate while one is added and removed on another thread")
  func comingAndGoing() throws {
    try race(
      threads: 4, rounds: 100,
      makeSubject: { _ in
        let injector = Injector(allowRewrite: true)
        try injector.register(
          PluginPoint<String, Int>("names") {
            Candidate("first") { "first" }
            Candidate("second") { "second" }
          })
        return injector
      },
      body: { injector, thread in
        do {
          if thread == 0 {
            try injector.unregister(String.self, candidate: "first")
            return "done"
          }
          let all = try injector.getAll(String.self, in: 1)
          return all.suffix(1) == ["second"] ? try injector.get(String.self, in: 1) : "\(all)"
        } catch {
          return "\(error)"
        }
      },
      check: { _, outcomes in
        #expect(outcomes[0] == "done")
        for outcome in outcomes.dropFirst() { #expect(outcome == "first" || outcome == "second") }
      })
  }

  @Test("refuses a point with two candidates of one id, which changes nothing")
  func namesakes() throws {
    let point = PluginPoint<String, Int>("names") {
      Candidate("same", .factory { "first" })
      PluginPoint("inner") { Candidate("same", .factory { "second" }) }
    }
    let error = #expect(throws: InjectorError.self) { try injector.register(point) }
    guard case .alreadyRegistered = error else { return #expect(error == nil) }
    #expect(!injector.isRegistered(String.self))
  }

  @Test("keeps a candidate whose replacement is refused")
  func refusedReplacement() throws {
    let first = Injection<String>.factory { "first" }
    try injector.contribute(String.self, first, when: Rule<Int>.always, id: "name")
    #expect(throws: InjectorError.self) {
      try injector.contribute(String.self, first, when: Rule<User>.always, id: "name")
    }
    #expect(try injector.get(String.self, in: 1) == "first")
  }
}
