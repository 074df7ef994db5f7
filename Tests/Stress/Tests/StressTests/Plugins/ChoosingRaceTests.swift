import PlugKeys
import TestSupport
import Testing

@testable import Plug
@testable import PlugIsolation

private struct Shopper: Sendable, Identifiable {
  let id: String
  var share = 50.0
}

private enum Share: Property { static var defaultValue: Double { 0 } }

/// Two values that always change together, so that a torn pair shows.
private enum Pair: Property { static var defaultValue: [Int] { [0, 0] } }

@Suite("Choices while registrations and properties change", .repeatable, .serialized)
struct ChoosingRaceTests {
  /// In each round seven threads make 100 choices each, while the eighth changes the values that the rules read.
  @Test("are each right at some moment during the choice", arguments: [false, true])
  func choices(isWeighted: Bool) throws {
    let shopper = Shopper(id: "p-17")
    try race(threads: 8) { _ in
      let services = Injector("services", allowRewrite: true)
      try services.register(
        PluginPoint<String, Shopper>("checkout") {
          Candidate("torn", .factory { "torn" }).when(.property(Pair.self, Rule("is torn") { $0[0] != $0[1] }))
          if isWeighted {
            Candidate("a", .factory { "a" }).weight(1, by: \.id)
            Candidate("b", .factory { "b" }).weight(1, by: \.id).when(.rollout(Share.self, of: "b", by: \.id))
          } else {
            Candidate("a", .factory { "a" }).when(.rollout(Share.self, of: "a", by: \.id))
          }
          Candidate("c", .factory { "c" }, priority: -1)
        })
      try services.register(
        PluginPoint<Int, Shopper>("after") {
          Candidate("with", .factory { 1 }).when(.selected("a", at: "checkout"))
          Candidate("without", .factory { 0 })
        })
      return services
    } body: { services, thread -> Set<String> in
      if thread == 0 {
        for turn in 0..<100 {
          services[Share.self] = turn.isMultiple(of: 2) ? 100 : 0
          services[Pair.self] = [turn, turn]
          if turn.isMultiple(of: 30) {
            _ = try? services.contribute(
              String.self, .factory { "d" }, when: Rule<Shopper>.always, id: "d", priority: -2)
          }
        }
        return []
      }
      var seen: Set<String> = []
      for turn in 0..<100 {
        seen.insert((try? services.get(String.self, in: shopper)) ?? "none")
        if turn.isMultiple(of: 10) {
          seen.insert((try? services.getAll(String.self, in: shopper))?.last ?? "none at all")
          seen.insert((try? services.get(Int.self, in: shopper)).map(String.init) ?? "no number")
        }
      }
      return seen
    } check: { _, seen in
      let allowed: Set = isWeighted ? ["a", "b", "c", "d", "0", "1"] : ["a", "c", "d", "0", "1"]
      for names in seen { #expect(names.isSubset(of: allowed), "\(names)") }
    }
  }

  @Test("of one test never see the live share of another test, with sixteen tests at a time")
  func isolation() async throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<String, Shopper>("checkout") {
        Candidate("new", .factory { "new" }).when(.rollout(Share.self, of: "new", by: \.id))
        Candidate("old", .factory { "old" })
      })
    try services.seal()
    await withTaskGroup(of: Bool.self) { group in
      for test in 0..<64 {
        group.addTask {
          await Sandbox.run { _ in
            services[Share.self] = test.isMultiple(of: 2) ? 100 : 0
            let expected = test.isMultiple(of: 2) ? "new" : "old"
            for turn in 0..<200 {
              if turn.isMultiple(of: 50) { await Task.yield() }
              if (try? services.get(String.self, in: Shopper(id: "customer-\(turn)"))) != expected { return false }
            }
            return true
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(try services.get(String.self, in: Shopper(id: "p-17")) == "old")
  }

  /// In each round six threads choose 100 times, while one replaces all candidates and another closes the injector.
  @Test("find the registered candidates or a closed injector while candidates are replaced")
  func replacing() throws {
    @Sendable func register(in services: Injector) throws {
      try services.contribute(String.self, .lazySingleton { "a" }, when: Rule<Shopper>.always, id: "a")
    }
    try race(threads: 8) { _ in
      let services = Injector("services", allowRewrite: true)
      try register(in: services)
      return services
    } body: { services, thread -> Set<String> in
      var seen: Set<String> = []
      for turn in 0..<100 {
        do throws(InjectorError) {
          if thread == 0 {
            _ = try? register(in: services)
          } else if thread == 1 {
            if turn == 99 { services.closeNow() }
          } else if thread == 2 {
            seen.insert(try services.get(String?.self, in: Shopper(id: "p-17")) ?? "none")
          } else {
            seen.insert(try services.get(String.self, in: Shopper(id: "p-17")))
          }
        } catch .closed {
          break
        } catch {
          seen.insert(error.description)
        }
      }
      return seen
    } check: { _, seen in
      for names in seen { #expect(names.isSubset(of: ["a"]), "\(names)") }
    }
  }

  @Test("skip a candidate that is removed while it is made")
  func removing() throws {
    try race(threads: 2) { _ in
      let (services, isBegun, isRemoved) = (Injector("services"), Latch(), Latch())
      let removed = Injection.lazySingleton { () -> String in
        isBegun.open()
        while !isRemoved.isOpen { yieldThread() }
        return "a"
      }
      try services.contribute(String.self, removed, when: Rule<Shopper>.always, id: "a", priority: 1)
      try services.contribute(String.self, .factory { "b" }, when: Rule<Shopper>.always, id: "b")
      return (services: services, isBegun: isBegun, isRemoved: isRemoved)
    } body: { site, thread -> Result<String, InjectorError> in
      Result { () throws(InjectorError) in
        if thread == 0 { return try site.services.get(String.self, in: Shopper(id: "p-17")) }
        while !site.isBegun.isOpen { yieldThread() }
        defer { site.isRemoved.open() }
        try site.services.unregister(String.self, candidate: "a")
        return "b"
      }
    } check: { _, outcomes in
      let given = try outcomes.map { outcome in try outcome.get() }
      #expect(given == ["b", "b"])
    }
  }
}
