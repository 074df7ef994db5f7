import PlugOperations
import TestSupport
import Testing

@testable import Plug

private struct Customer: Sendable, Identifiable {
  var id: String
  var isBlocked = false
  var region = "EU"
}

private func checkout(
  _ weights: [(id: String, weight: Double)], priority: Int = 0, isBlocked: String? = nil
) -> PluginPoint<String, Customer> {
  PluginPoint("checkout") {
    for (id, weight) in weights {
      Candidate(id, .factory { id }, priority: priority).weight(weight, by: \.id)
        .when(id == isBlocked ? !.equals(\.isBlocked, true) : .always)
    }
  }
}

private func drawn(_ point: PluginPoint<String, Customer>, _ count: Int, isBlocked: Bool = false) -> [String] {
  (0..<count).map { point.first(in: Customer(id: "customer-\($0)", isBlocked: isBlocked)) ?? "none" }
}

@Suite("Candidates with weights")
struct CandidateWeightTests {
  private static let count = 200_000

  @Test("are drawn in proportion, and always alike for one identifier")
  func shares() {
    let weights = [("one-click", 50.0), ("express", 30), ("classic", 19.5), ("paper", 0.5)]
    let winners = drawn(checkout(weights), Self.count)
    for (id, weight) in weights {
      let share = Double(winners.count { $0 == id } * 100) / Double(Self.count)
      #expect(abs(share - weight) < 0.2, "\(id): \(share)")
    }
    #expect(drawn(checkout(weights), 1_000) == Array(winners.prefix(1_000)))
    #expect(drawn(checkout(weights.reversed()), 1_000) == Array(winners.prefix(1_000)))
  }

  @Test("lose identifiers only to a new one, and keep the rest")
  func fourth() {
    let three = drawn(checkout([("a", 1), ("b", 1), ("c", 1)]), Self.count)
    let four = drawn(checkout([("a", 1), ("b", 1), ("c", 1), ("d", 1)]), Self.count)
    var moved = 0
    for (old, new) in zip(three, four) where old != new {
      moved += 1
      if new != "d" { Issue.record("moved from \(old) to \(new)") }
    }
    #expect(abs(Double(moved * 100) / Double(Self.count) - 25) < 0.5)
  }

  @Test("lose identifiers only to one whose weight grows")
  func growing() {
    let before = drawn(checkout([("a", 10), ("b", 90)]), 20_000)
    let after = drawn(checkout([("a", 25), ("b", 75)]), 20_000)
    #expect(zip(before, after).allSatisfy { $0 == $1 || $1 == "a" })
  }

  @Test("are drawn in proportion among the ones that apply")
  func ruledOut() {
    let point = checkout([("a", 50), ("b", 30), ("c", 20)], isBlocked: "a")
    let open = drawn(point, 50_000)
    let blocked = drawn(point, 50_000, isBlocked: true)
    #expect(zip(open, blocked).allSatisfy { $0 == "a" || $0 == $1 })
    #expect(!blocked.contains("a"))
    #expect(abs(Double(blocked.count { $0 == "b" }) / 500 - 60) < 1)
  }

  @Test("are ranked by their priority, and among equals in the order of the draw")
  func order() throws {
    let point = PluginPoint<String, Customer>("checkout") {
      Candidate("plain", .factory { "plain" })
      Candidate("a", .factory { "a" }).weight(1, by: \.id)
      Candidate("first", .factory { "first" }, priority: 1).when(.equals(\.isBlocked, true))
      Candidate("b", .factory { "b" }).weight(1, by: \.id)
      Candidate("c", .factory { "c" }).weight(1, by: \.region)
      Candidate("last", .factory { "last" }, priority: -1).weight(100, by: \.id)
    }
    let rest = try (0..<300).map { number -> [String] in
      let all = try point.getAll(in: Customer(id: "customer-\(number)", isBlocked: number.isMultiple(of: 2)))
      #expect(Array(all.prefix(all.count - 4)) == (number.isMultiple(of: 2) ? ["first", "plain"] : ["plain"]))
      #expect(all.last == "last")
      return Array(all.suffix(4).dropLast())
    }
    #expect(Set(rest).count == 6)
    #expect(rest.allSatisfy { Set($0) == ["a", "b", "c"] })
    let weighted = removing("plain", from: point)
    for number in 0..<300 {
      let customer = Customer(id: "customer-\(number)")
      #expect(weighted.first(in: customer) == (try weighted.getAll(in: customer).first))
      #expect(weighted.first(in: customer) == weighted.explain(in: customer).selected)
    }
  }

  private func removing(
    _ id: String, from point: PluginPoint<String, Customer>
  ) -> PluginPoint<String, Customer> {
    var point = point
    point.remove(id)
    return point
  }

  @Test("are drawn alike in a registered, nested or standalone point")
  func places() throws {
    let inner = checkout([("a", 1), ("b", 2), ("c", 3)])
    let outer = PluginPoint<String, Customer>("outer") { inner }
    let services = Injector("services")
    try services.register(outer)
    for number in 0..<500 {
      let customer = Customer(id: "customer-\(number)")
      let winner = inner.first(in: customer)
      #expect(outer.first(in: customer) == winner)
      #expect(try services.get(String.self, in: customer) == winner)
    }
  }

  @Test("explain the draw")
  func explanation() {
    let point = checkout([("a", 50), ("b", 30), ("c", 20)], isBlocked: "a")
    #expect(
      point.explain(in: Customer(id: "p-17", isBlocked: true)).description == """
        checkout in Customer: 2 of 3 apply, selected: c
          a: ruled out
            - not
              + isBlocked == true: true
          b: available as number 2, weight 30 of 50, drew 3.88 for "p-17"
          c: selected, weight 20 of 50, drew 3.82 for "p-17"
        """)
  }

  @Test("with a weight of 0 never apply, and are indeterminate with an invalid weight")
  func invalid() {
    let point = checkout([("none", 0), ("negative", -2), ("endless", .infinity), ("unknown", .nan), ("one", 1)])
    let customer = Customer(id: "p-17")
    #expect(point.candidateIDs.count == 5)
    #expect(
      point.explain(in: customer).description == """
        checkout in Customer: 1 of 5 apply, selected: one
          none: ruled out
            - weight 0
          negative: ruled out
            ? weight -2 (-2 is not a weight)
          endless: ruled out
            ? weight inf (inf is not a weight)
          unknown: ruled out
            ? weight nan (nan is not a weight)
          one: selected, weight 1 of 1, drew 0.64 for "p-17"
        """)
  }

  @Test("may have weights of any magnitude, and are explained")
  func extremes() throws {
    let customer = Customer(id: "p-17")
    let point = checkout([("a", 1), ("b", 1e18), ("c", .greatestFiniteMagnitude), ("d", 1e-300)])
    #expect(point.first(in: customer) == "c")
    let explanation = point.explain(in: customer)
    #expect(explanation.description.split(separator: "\n").count == 5)
    for element in explanation.elements {
      guard case .object(let draw)? = element.details["draw"], case .number(let number)? = draw["number"],
        case .number(let total)? = draw["total"]
      else {
        Issue.record("\(element)")
        continue
      }
      #expect(number.isFinite && total.isFinite)
    }
    let least = checkout([("least", .leastNonzeroMagnitude), ("one", 1)])
    #expect(least.explain(in: customer).available == ["one"])
  }

  @Test("can be chosen after one without a weight, if the first of them has a rule")
  func behindPlain() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Customer>("checkout") {
        Candidate("a", .factory { "a" }).weight(1, by: \.id).when(.equals(\.region, "EU"))
        Candidate("plain", .factory { "plain" })
        Candidate("b", .factory { "b" }).weight(1, by: \.id)
        Candidate("never", .factory { "never" })
      })
    let winners = try (0..<200).map { try services.get(String.self, in: Customer(id: "customer-\($0)")) }
    #expect(Set(winners) == ["a", "b"])
    let unreachable = services.audit().findings.filter { $0.kind == .unreachable }
    #expect(unreachable.map(\.subject) == ["String [never]"])
  }

  @Test("can all be chosen, although one before them always applies")
  func validation() throws {
    let services = Injector("services")
    try services.register(checkout([("a", 1), ("b", 1)]))
    #expect(services.audit().findings == [])
  }
}
