import Plug
import TestSupport
import Testing

@Suite("The builder of a plugin point")
struct PluginBuilderTests {
  @Test("adds the elements of an if whose condition holds", arguments: [true, false])
  func ifStatement(_ condition: Bool) {
    let point = PluginPoint<String, Guest>("point") {
      Candidate("first") { "first" }
      if condition { Candidate("middle") { "middle" } }
      Candidate("last") { "last" }
    }
    #expect(point.candidateIDs == (condition ? ["first", "middle", "last"] : ["first", "last"]))
  }

  @Test(
    "adds one branch of an if with else",
    arguments: [(1, ["one", "uno"]), (2, ["two"]), (3, ["many", "more"])])
  func ifElse(_ number: Int, _ ids: [String]) {
    let point = PluginPoint<String, Guest>("point") {
      if number == 1 {
        Candidate("one") { "1" }
        Candidate("uno") { "1" }
      } else if number == 2 {
        Candidate("two") { "2" }
      } else {
        Candidate("many") { "n" }
        Candidate("more") { "n" }
      }
    }
    #expect(point.candidateIDs == ids)
  }

  @Test("adds the elements of an if let, with the value", arguments: [nil, "extra"])
  func ifLet(_ id: String?) {
    let point = PluginPoint<String, Guest>("point") {
      Candidate("first") { "first" }
      if let id { Candidate(id) { id } }
    }
    #expect(point.plugins(in: Guest()) == ["first", id].compactMap(\.self))
  }

  @Test("adds one case of a switch", arguments: [(0, ["none"]), (1, ["one"]), (7, ["many", "more"])])
  func switchStatement(_ number: Int, _ ids: [String]) {
    let point = PluginPoint<String, Guest>("point") {
      switch number {
      case 0: Candidate("none") { "none" }
      case 1: Candidate("one") { "one" }
      default:
        Candidate("many") { "many" }
        Candidate("more") { "more" }
      }
    }
    #expect(point.candidateIDs == ids)
  }

  @Test("adds the elements of each iteration of a for loop, in order")
  func forLoop() {
    let point = PluginPoint<String, Guest>("point") {
      for number in 1...3 {
        Candidate("a\(number)") { "a\(number)" }
        if number != 2 { Candidate("b\(number)") { "b\(number)" } }
      }
    }
    #expect(point.plugins(in: Guest()) == ["a1", "b1", "a2", "a3", "b3"])
  }

  @Test("adds points, arrays and other bodies in their places")
  func nesting() {
    @PluginBuilder<String, Guest> func last() -> PluginBuilder<String, Guest> {
      Candidate("g") { "g" }
      Candidate("h") { "h" }
    }
    let shared = PluginPoint<String, Guest>("shared") {
      Candidate("b") { "b" }
      Candidate("c") { "c" }
    }
    let point = PluginPoint<String, Guest>("point") {
      Candidate("a") { "a" }
      shared
      PluginPoint("inner") {
        for id in ["d", "e"] {
          PluginPoint("deeper \(id)") { Candidate(id) { id } }
        }
        PluginPoint("empty") {}
      }
      [Candidate<String, Guest>("f") { "f" }]
      last()
    }
    #expect(point.candidateIDs == ["a", "b", "c", "d", "e", "f", "g", "h"])
    #expect(point.plugins(in: Guest()) == ["a", "b", "c", "d", "e", "f", "g", "h"])
    #expect(point.explain(in: Guest()).elements.map(\.id) == ["a", "shared", "inner", "f", "g", "h"])
  }

  @Test("makes an empty point, which has no candidates and no winner")
  func empty() {
    let point = PluginPoint<String, Guest>("point") {}
    #expect(point.candidateIDs == [])
    #expect(point.plugins(in: Guest()) == [])
    #expect(point.first(in: Guest()) == nil)
    #expect("\(point.explain(in: Guest()))" == "point in Guest: 0 of 0 apply, selected: none")
  }

  @Test("adds elements that depend on the version of the system")
  func available() {
    let point = PluginPoint<String, Guest>("point") {
      if #available(macOS 1000, iOS 1000, tvOS 1000, watchOS 1000, visionOS 1000, *) {
        Candidate("new") { "new" }
      } else {
        Candidate("old") { "old" }
      }
      if #available(macOS 10.15, *) { Candidate("any") { "any" } }
    }
    #if os(Linux)
      #expect(point.candidateIDs == ["new", "any"])
    #else
      #expect(point.candidateIDs == ["old", "any"])
    #endif
  }
}
