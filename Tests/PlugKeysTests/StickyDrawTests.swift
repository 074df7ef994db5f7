import Plug
import PlugKeys
import PlugOperations
import Synchronization
import TestSupport
import Testing

private struct Shopper: Sendable {
  var id = "p-17"
  var team = "blue"
  var isBlocked = false
}

/// Writes down each call.
private final class Assignments: AssignmentStore {
  private let state = Mutex((table: [String: String](), calls: [String]()))

  init(_ table: [String: String] = [:]) { state.withLock { $0.table = table } }

  var table: [String: String] { state.withLock { $0.table } }
  /// The calls since the last time.
  var calls: [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  func assignment(of identifier: String, at point: String) -> String? {
    state.withLock { state in
      state.calls.append("\(point)/\(identifier)?")
      return state.table["\(point)/\(identifier)"]
    }
  }

  func assign(_ candidate: String, to identifier: String, at point: String) {
    state.withLock { state in
      state.calls.append("\(point)/\(identifier) = \(candidate)")
      state.table["\(point)/\(identifier)"] = candidate
    }
  }
}

private struct Broken: Error {}

private func checkout(
  _ store: Assignments, _ weights: KeyValuePairs<String, Double>, broken: String = ""
) -> PluginPoint<String, Shopper> {
  PluginPoint("checkout") {
    for (id, weight) in weights {
      Candidate(id, .factory { if id == broken { throw Broken() } else { id } }).weight(weight, by: \.id)
        .when(id == "express" ? !.is(\.isBlocked) : .always)
    }
  }.sticky(in: store)
}

@Suite("A sticky draw")
struct StickyDrawTests {
  @Test("keeps the candidate that an identifier has been given when weights change")
  func kept() {
    let store = Assignments()
    let before = checkout(store, ["express": 50, "classic": 50])
    let shoppers = (0..<100).map { Shopper(id: "p-\($0)") }
    let winners = shoppers.map { before.first(in: $0) }
    #expect(Set(winners) == ["express", "classic"])
    #expect(store.table.count == 100)
    let after = checkout(store, ["express": 1, "classic": 99_999])
    #expect(shoppers.map { after.first(in: $0) } == winners)
    #expect(shoppers.map { after.explain(in: $0).selected } == winners)
    #expect(shoppers.map { after.plugins(in: $0).first } == winners)
  }

  @Test("asks the store once for each choice, and tells it only what it does not know")
  func calls() throws {
    let store = Assignments()
    let services = Injector("services")
    try services.register(checkout(store, ["express": 0.001, "classic": 1_000, "paper": 0.001]))
    #expect(try services.get(String.self, in: Shopper()) == "classic")
    #expect(store.calls == ["checkout/p-17?", "checkout/p-17 = classic"])
    #expect(try services.get(String.self, in: Shopper()) == "classic")
    #expect(store.calls == ["checkout/p-17?"])
  }

  @Test("stores nothing for explanations, lists, picked candidates and requests for all")
  func reading() throws {
    let store = Assignments()
    let services = Injector("services")
    try services.register(checkout(store, ["express": 1, "classic": 1_000]))
    _ = try services.explain(String.self, in: Shopper())
    _ = try services.candidates(of: String.self, in: Shopper())
    _ = try services.getAll(String.self, in: Shopper())
    #expect(try services.get(String.self, candidate: "express", in: Shopper()) == "express")
    #expect(try checkout(store, ["only": 1]).get(candidate: "only", in: Shopper()) == "only")
    #expect(store.table.isEmpty)
  }

  @Test("stores nothing for an empty identifier, which it does not ask for either")
  func empty() {
    let store = Assignments()
    let point = checkout(store, ["express": 1, "classic": 1_000])
    #expect(point.first(in: Shopper(id: "")) == "classic")
    #expect(store.calls.isEmpty)
  }

  @Test("draws again where the kept candidate does not apply or is gone, and keeps that one")
  func gone() {
    let store = Assignments(["checkout/p-17": "express", "checkout/p-18": "gone"])
    let point = checkout(store, ["express": 1, "classic": 1_000])
    #expect(point.first(in: Shopper(isBlocked: true)) == "classic")
    #expect(point.first(in: Shopper(id: "p-18")) == "classic")
    #expect(store.table == ["checkout/p-17": "classic", "checkout/p-18": "classic"])
  }

  @Test("keeps its candidate while that one fails, is off, or another is forced")
  func failing() throws {
    let store = Assignments(["checkout/p-17": "express"])
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Shopper>("checkout") {
        Candidate("express", .factory { () throws -> String in throw Broken() }.onFailure(.skip))
          .weight(1, by: \.id)
        Candidate("classic", .factory { "classic" }).weight(1, by: \.id)
        Candidate("paper", .factory { "paper" }).weight(1, by: \.id)
      }.sticky(in: store))
    #expect(try ["classic", "paper"].contains(services.get(String.self, in: Shopper())))
    try services.force("paper", at: "checkout", because: "drill")
    #expect(try services.get(String.self, in: Shopper()) == "paper")
    try services.restore("paper", at: "checkout")
    try services.disable("express", at: "checkout", because: "INC-7")
    #expect(try ["classic", "paper"].contains(services.get(String.self, in: Shopper())))
    #expect(store.table == ["checkout/p-17": "express"])
    #expect(try ["classic", "paper"].contains(services.get(String.self, in: Shopper(id: "p-18"))))
    #expect(store.table.keys.sorted() == ["checkout/p-17", "checkout/p-18"])
  }

  @Test("keeps a candidate for the identifier that it is drawn by, where the weights look at several")
  func identifiers() {
    let store = Assignments()
    let point = PluginPoint<String, Shopper>("checkout") {
      Candidate("express", .factory { "express" }).weight(0.001, by: \.id)
      Candidate("classic", .factory { "classic" }).weight(1_000, by: \.team)
    }.sticky(in: store)
    #expect(point.first(in: Shopper()) == "classic")
    #expect(store.calls == ["checkout/p-17?", "checkout/blue?", "checkout/blue = classic"])
    #expect(point.first(in: Shopper(id: "", team: "red")) == "classic")
    #expect(store.table == ["checkout/blue": "classic", "checkout/red": "classic"])
  }

  @Test("comes after candidates with a higher priority, and says so in an explanation")
  func explained() {
    let store = Assignments(["checkout/p-17": "classic"])
    let point = PluginPoint<String, Shopper>("checkout") {
      Candidate("blocked", .factory { "blocked" }, priority: 1).when(.is(\.isBlocked))
      Candidate("express", .factory { "express" }).weight(3, by: \.id)
      Candidate("classic", .factory { "classic" }).weight(1, by: \.id)
    }.sticky(in: store)
    #expect(point.first(in: Shopper(isBlocked: true)) == "blocked")
    #expect(point.first(in: Shopper()) == "classic")
    #expect(
      point.explain(in: Shopper()).description.contains(
        "classic: selected, weight 1 of 4, drew 0 for \"p-17\""))
  }

  @Test("belongs to the innermost point, and to edited copies of it")
  func nested() throws {
    let store = Assignments()
    var outer = PluginPoint<String, Shopper>("outer") {
      checkout(store, ["classic": 1])
    }
    try outer.add(Candidate("late", .factory { "late" }, priority: -1))
    #expect(outer.first(in: Shopper()) == "classic")
    #expect(store.table == ["checkout/p-17": "classic"])
  }
}
