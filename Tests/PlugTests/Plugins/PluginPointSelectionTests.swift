import Plug
import TestSupport
import Testing

@Suite("Selection from a plugin point")
struct PluginPointSelectionTests {
  private let journal = Journal()

  private var tools: PluginPoint<any Tool, Guest> {
    PluginPoint("tools") {
      Candidate.tool("hammer", in: journal)
      Candidate.tool("saw", priority: 1, in: journal).when(.atLeast(\.age, 18))
      PluginPoint("power", when: .feature("power")) {
        Candidate.tool("drill", priority: 2, in: journal)
      }
    }
  }

  static let cases: [(Guest, [String])] = [
    (Guest(), ["saw", "hammer"]),
    (Guest(age: 17), ["hammer"]),
    (Guest(age: 17, enabledFeatures: ["power"]), ["drill", "hammer"]),
    (Guest(enabledFeatures: ["power"]), ["drill", "saw", "hammer"]),
  ]

  @Test("returns and makes all candidates that apply, and no others", arguments: cases)
  func all(_ guest: Guest, _ names: [String]) throws {
    #expect(tools.plugins(in: guest).map(\.name) == names)
    #expect(journal.take() == names)
    #expect(try tools.getAll(in: guest).map(\.name) == names)
    #expect(journal.take() == names)
  }

  @Test("returns and makes the winner, and no other candidate", arguments: cases)
  func winner(_ guest: Guest, _ names: [String]) throws {
    #expect(tools.first(in: guest)?.name == names[0])
    #expect(journal.take() == [names[0]])
    #expect(try tools.get(in: guest).name == names[0])
    #expect(journal.take() == [names[0]])
  }

  @Test("makes no instance for an explanation", arguments: cases)
  func explanation(_ guest: Guest, _ names: [String]) {
    #expect(tools.explain(in: guest).available == names)
    #expect(journal.all == [])
  }

  @Test("keeps a lazy singleton for all calls and contexts, and for the copies of the point")
  func lazySingletons() throws {
    let point = tools
    let copy = point
    let hammer = try #require(point.first(in: Guest(age: 17)))
    #expect(try point.get(in: Guest(age: 3)) === hammer)
    #expect(point.plugins(in: Guest()).last === hammer)
    #expect(copy.first(in: Guest(age: 17)) === hammer)
    #expect(try copy.getAll(in: Guest()).last === hammer)
    #expect(point.first(in: Guest()) === copy.first(in: Guest()))
    #expect(journal.all == ["hammer", "saw"])
  }

  @Test("keeps the instances of two points apart, also of nested ones")
  func ownInstances() throws {
    let inner = tools
    let outer = PluginPoint<any Tool, Guest>("outer") { inner }
    #expect(try inner.get(in: Guest()) !== outer.get(in: Guest()))
    #expect(journal.all == ["saw", "saw"])
  }

  @Test("makes a new instance of a factory each time, and returns a singleton as it is")
  func otherLifetimes() throws {
    let given = Instrument("given")
    let point = PluginPoint<any Tool, Guest>("point") {
      Candidate("factory", .factory { Instrument("made") })
      Candidate("singleton", .singleton(given))
      Candidate("lazy", .lazySingleton(given) { Instrument("never") })
    }
    let (first, second) = (point.plugins(in: Guest()), point.plugins(in: Guest()))
    #expect(first.map(\.name) == ["made", "given", "given"])
    #expect(second.map(\.name) == ["made", "given", "given"])
    #expect(zip(first, second).map { $0 === $1 } == [false, true, true])
    #expect(first.map { $0 === given } == [false, true, true])
  }

  @Test("throws the whole explanation if no candidate applies")
  func noCandidate() throws {
    let point = PluginPoint<any Tool, Guest>("tools", when: .feature("tools"), fileID: "Shop/Tools.swift", line: 3) {
      Candidate.tool("hammer", in: journal)
    }
    #expect(point.first(in: Guest()) == nil)
    #expect(try point.getAll(in: Guest()).isEmpty)
    let error = try #require(throws: InjectorError.self) { try point.get(in: Guest()) }
    #expect(
      "\(error)" == """
        get(in:) of the point "tools" failed: no candidate applies.
          service:        Tool
          point:          tools
          chain:          Tool
          declared at:    Shop/Tools.swift:3
          tools in Guest: 0 of 1 apply, selected: none
            point tools: ruled out
              - feature "tools": []
              hammer: not evaluated
        To fix this:
          - Add a candidate without a rule as the fallback, or use first(in:), which returns nil.
        """)
    guard case .noCandidate(_, let explanation) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(explanation == point.explain(in: Guest()))
    #expect(journal.all == [])
  }
}

@Suite("A candidate that cannot be made")
struct PluginPointFailureTests {
  private static var point: PluginPoint<any Tool, Guest> {
    PluginPoint("tools") {
      Candidate("hammer") { Instrument("hammer") }
      Candidate("saw", fileID: "Shop/Tools.swift", line: 5) { throw Broken() }.when(.atLeast(\.age, 18))
    }
  }

  /// The message of the error.
  private static let text = """
    Tool [saw] could not be made: it is broken
      service:        Tool [saw]
      injector:       default
      chain:          Tool [saw]
      registered at:  Shop/Tools.swift:5
    To fix this:
      - Check the factory, which threw Broken. The next get tries again.
    """

  @Test("is an error of the calls that throw, if it applies")
  func errors() throws {
    let error = try #require(throws: InjectorError.self) { try Self.point.getAll(in: Guest()) }
    #expect("\(error)" == Self.text)
    #expect(try Self.point.getAll(in: Guest(age: 17)).map(\.name) == ["hammer"])
    #expect(try Self.point.get(in: Guest()).name == "hammer")
    #expect(Self.point.first(in: Guest())?.name == "hammer")
  }

  @Test("ends the program with the diagnosis, if all candidates are requested without try")
  func trapOfPlugins() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PluginPointFailureTests.point.plugins(in: Guest(), fileID: "Shop/Home.swift", line: 7)
    }
    let expected = """
      Shop/Home.swift:7: Fatal error: plugins(in:) of the point "tools" failed.
      \(Self.text)
      """
    #expect(try message(of: result, lines: expected.lineCount) == expected)
  }

  @Test("ends the program with the diagnosis, if it is the winner and requested without try")
  func trapOfFirst() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let winner = PluginPoint<any Tool, Guest>("tools") {
        Candidate("saw", fileID: "Shop/Tools.swift", line: 5) { throw Broken() }
      }
      _ = winner.first(in: Guest(), fileID: "Shop/Home.swift", line: 8)
    }
    let expected = """
      Shop/Home.swift:8: Fatal error: first(in:) of the point "tools" failed.
      \(Self.text)
      """
    #expect(try message(of: result, lines: expected.lineCount) == expected)
  }
}
