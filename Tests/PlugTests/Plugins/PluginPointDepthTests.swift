import Foundation
import Plug
import PlugOperations
import TestSupport
import Testing

@Suite("A point with nested points")
struct PluginPointDepthTests {
  /// Nests `depth` points, with a candidate in the innermost.
  private func nested(_ depth: Int) -> PluginPoint<Int, Guest> {
    (1..<depth).reduce(PluginPoint("point 1") { Candidate("one", .singleton(1)) }) { inner, level in
      PluginPoint("point \(level + 1)", when: .atLeast(\.age, 18), fileID: "Deep.swift", line: level + 1) { inner }
    }
  }

  @Test("works on a small stack, 100 deep")
  func deep() {
    onThread(stack: 512 << 10) {
      var point = nested(100)
      #expect(point.plugins(in: Guest()) == [1])
      #expect(point.first(in: Guest(age: 3)) == nil)
      #expect(point.candidateIDs == ["one"])
      let explanation = point.explain(in: Guest())
      #expect(explanation.selected == "one")
      #expect("\(explanation)".split(separator: "\n").count == 201)
      do {
        let stored = try JSONEncoder().encode(explanation)
        #expect(try JSONDecoder().decode(Explanation.self, from: stored) == explanation)
        let injector = Injector()
        try injector.register(point)
        #expect(try injector.get(Int.self, in: Guest()) == 1)
      } catch {
        Issue.record(error)
      }
      point.remove("one")
      #expect(point.plugins(in: Guest()).isEmpty)
    }
  }

  private let tooDeep = """
    The point "point 101" is nested too deeply: 101 points, one inside another.
      service:        Int
      point:          point 101
      declared at:    Deep.swift:101
    To fix this:
      - Nest at most 100 points. A point can hold any number of candidates and points side by side.
    """

  @Test("is refused beyond 100 levels")
  func limit() throws {
    let point = nested(101)
    #expect(throws: InjectorError.self) { try point.get(in: Guest()) }
    let failures = [
      failure { () throws(InjectorError) in _ = try point.get(in: Guest()) },
      failure { () throws(InjectorError) in _ = try point.getAll(in: Guest()) },
      failure { () throws(InjectorError) in try Injector().register(point) },
    ]
    #expect(Set(failures) == [tooDeep])
    #expect(point.explain(in: Guest()).available == ["nested too deep"])

    var edited = PluginPoint<Int, Guest>("point 101", fileID: "Deep.swift", line: 101) {}
    #expect(failure { () throws(InjectorError) in try edited.add(nested(100)) } == tooDeep)
    #expect(edited.candidateIDs == [])
    try edited.add(nested(99))
    #expect(try edited.get(in: Guest()) == 1)
  }

  @Test("is refused in another point, 10,000 deep")
  func veryDeep() {
    onThread(stack: 512 << 10) {
      let point = nested(10_000)
      let error = #expect(throws: InjectorError.self) { try point.get(in: Guest()) }
      #expect(error?.facts.point == "point 10000")
    }
  }

  @Test("traps with the reason in calls that cannot throw")
  func traps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let innermost = PluginPoint<Int, Guest>("point 1") { Candidate("one", .singleton(1)) }
      let point = (2...101).reduce(innermost) { inner, level in
        PluginPoint("point \(level)", fileID: "Deep.swift", line: level) { inner }
      }
      _ = point.first(in: Guest(), fileID: "Shop/Home.swift", line: 8)
    }
    let headline = "Shop/Home.swift:8: Fatal error: first(in:) of the point \"point 101\" failed.\n"
    let expected = headline + tooDeep
    #expect(try message(of: result, lines: expected.lineCount) == expected)
  }

  private func failure(_ body: () throws(InjectorError) -> Void) -> String {
    do throws(InjectorError) {
      try body()
      return "none"
    } catch {
      return "\(error)"
    }
  }
}
