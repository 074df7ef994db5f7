import Plug
import TestSupport
import Testing

@Suite("A plugin point")
struct PluginPointTests {
  @Test("returns its candidates in declared order, nested ones in the place of their point")
  func declaredOrder() {
    let point = PluginPoint<String, Guest>("point") {
      Candidate("a") { "a" }
      PluginPoint("inner") {
        Candidate("b") { "b" }
        PluginPoint("innermost") { Candidate("c") { "c" } }
        Candidate("d") { "d" }
      }
      Candidate("e") { "e" }
    }
    #expect(point.plugins(in: Guest()) == ["a", "b", "c", "d", "e"])
    #expect(point.candidateIDs == ["a", "b", "c", "d", "e"])
  }

  @Test("puts a higher priority first, and keeps declared order among equals across nested points")
  func priority() {
    let point = PluginPoint<String, Guest>("point") {
      Candidate("a0") { "a0" }
      Candidate("b5", priority: 5) { "b5" }
      PluginPoint("inner") {
        Candidate("c0") { "c0" }
        Candidate("d-1", priority: -1) { "d-1" }
        PluginPoint("innermost") {
          Candidate("e5", priority: 5) { "e5" }
          Candidate("f9", priority: .max) { "f9" }
        }
      }
      Candidate("g5", priority: 5) { "g5" }
      Candidate("h-9", priority: .min) { "h-9" }
      Candidate("i-1", priority: -1) { "i-1" }
      Candidate("j0") { "j0" }
    }
    #expect(
      point.plugins(in: Guest()) == ["f9", "b5", "e5", "g5", "a0", "c0", "j0", "d-1", "i-1", "h-9"])
    #expect(point.first(in: Guest()) == "f9")
    #expect(point.candidateIDs == ["a0", "b5", "c0", "d-1", "e5", "f9", "g5", "h-9", "i-1", "j0"])
  }

  @Test("is gated by its own rule, and its nested points by theirs", arguments: RuleTrace.Outcome.each)
  func gates(_ outcome: RuleTrace.Outcome) {
    let outer = PluginPoint<String, Guest>("point", when: .known(outcome)) {
      Candidate("a") { "a" }
      PluginPoint("inner") { Candidate("b") { "b" } }
    }
    #expect(outer.plugins(in: Guest()) == (outcome == .satisfied ? ["a", "b"] : []))

    let inner = PluginPoint<String, Guest>("point") {
      Candidate("a") { "a" }
      PluginPoint("inner", when: .known(outcome)) {
        Candidate("b") { "b" }
        PluginPoint("innermost", when: .always) { Candidate("c") { "c" } }
      }
      Candidate("d") { "d" }
    }
    #expect(inner.plugins(in: Guest()) == (outcome == .satisfied ? ["a", "b", "c", "d"] : ["a", "d"]))
  }

  @Test("is shut by a rule that throws, and by its negation too")
  func throwingGate() {
    let rule = Rule<Guest>("is lucky") { _ in throw Unknowable() }
    let point = PluginPoint<String, Guest>("point") {
      PluginPoint("lucky", when: rule) { Candidate("a") { "a" } }
      PluginPoint("unlucky", when: !rule) { Candidate("b") { "b" } }
      Candidate("c") { "c" }.when(rule)
      Candidate("d") { "d" }.when(!rule)
    }
    #expect(point.plugins(in: Guest()) == [])
    #expect(point.first(in: Guest()) == nil)
  }

  /// Two candidates in an inner point, one around it, and one in a point whose gate is shut.
  private func guardedPoint(_ journal: Journal) -> PluginPoint<String, Guest> {
    PluginPoint("point", when: .known(.satisfied, "point", in: journal)) {
      Candidate("a") { "a" }.when(.known(.satisfied, "a", in: journal))
      PluginPoint("open", when: .known(.satisfied, "open", in: journal)) {
        Candidate("b") { "b" }.when(.known(.unsatisfied, "b", in: journal))
        Candidate("c", priority: 1) { "c" }.when(.known(.satisfied, "c", in: journal))
      }
      PluginPoint("shut", when: .known(.unsatisfied, "shut", in: journal)) {
        Candidate("d", priority: 2) { "d" }.when(.known(.satisfied, "d", in: journal))
        PluginPoint("in shut", when: .known(.satisfied, "in shut", in: journal)) {
          Candidate("e") { "e" }.when(.known(.satisfied, "e", in: journal))
          Candidate("f") { "f" }
        }
      }
    }
  }

  @Test("evaluates each gate once per call, and no rule inside a point that is shut")
  func evaluations() throws {
    let journal = Journal()
    let point = guardedPoint(journal)
    #expect(journal.take() == [])

    #expect(point.plugins(in: Guest()) == ["c", "a"])
    #expect(journal.take() == ["point", "shut", "open", "c", "a", "b"])

    #expect(try point.getAll(in: Guest()) == ["c", "a"])
    #expect(journal.take() == ["point", "shut", "open", "c", "a", "b"])
  }

  @Test("evaluates rules only up to the winner, if only the winner is requested")
  func evaluationsUpToTheWinner() throws {
    let journal = Journal()
    let point = guardedPoint(journal)
    #expect(point.first(in: Guest()) == "c")
    #expect(journal.take() == ["point", "shut", "open", "c"])
    #expect(try point.get(in: Guest()) == "c")
    #expect(journal.take() == ["point", "shut", "open", "c"])
  }

  @Test("evaluates nothing inside, if it is shut itself")
  func shutPoint() {
    let journal = Journal()
    let point = PluginPoint<String, Guest>("point", when: .known(.indeterminate, "point", in: journal)) {
      guardedPoint(journal)
      Candidate("z") { "z" }.when(.known(.satisfied, "z", in: journal))
    }
    #expect(point.plugins(in: Guest()) == [])
    #expect(journal.take() == ["point"])
    #expect(point.first(in: Guest()) == nil)
    #expect(journal.take() == ["point"])
  }

  /// The first 64 gates of a point share one word; the others do not.
  @Test("has no limit on the number of its gates", arguments: [63, 64, 65, 200])
  func manyGates(_ count: Int) {
    let journal = Journal()
    let point = PluginPoint<String, Guest>("point") {
      for number in 0..<count {
        PluginPoint("\(number)", when: .known(number % 3 == 0 ? .unsatisfied : .satisfied, "\(number)", in: journal)) {
          Candidate("a\(number)") { "a\(number)" }
          Candidate("b\(number)") { "b\(number)" }
        }
      }
    }
    let open = (0..<count).filter { $0 % 3 != 0 }
    #expect(point.plugins(in: Guest()) == open.flatMap { ["a\($0)", "b\($0)"] })
    #expect(journal.take().prefix(64) == (0..<min(count, 64)).map { "\($0)" }[...])
    #expect(point.explain(in: Guest()).available == open.flatMap { ["a\($0)", "b\($0)"] })
  }

  @Test("has no limit on how deep its gates are nested", arguments: [(nil, ["a"]), (0, []), (70, []), (99, [])])
  func deepGates(_ shut: Int?, _ expected: [String]) {
    let inner = PluginPoint<String, Guest>("99", when: .known(shut == 99 ? .unsatisfied : .satisfied)) {
      Candidate("a") { "a" }
    }
    let point = (1...99).reduce(inner) { inner, height in
      PluginPoint("\(height)", when: .known(shut == 99 - height ? .unsatisfied : .satisfied)) { inner }
    }
    #expect(point.plugins(in: Guest()) == expected)
    #expect(point.explain(in: Guest()).available == expected)
  }
}
