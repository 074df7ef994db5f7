import Plug
import TestSupport
import Testing

@Suite("Editing of a plugin point")
struct PluginPointEditingTests {
  private static func point() -> PluginPoint<any Tool, Guest> {
    PluginPoint("tools", fileID: "Shop/Tools.swift", line: 1) {
      Candidate("hammer", fileID: "Shop/Tools.swift", line: 2) { Instrument("hammer") }
      PluginPoint("cutting") {
        Candidate("saw") { Instrument("saw") }
        PluginPoint("power", when: .feature("power")) {
          Candidate("drill", priority: 1) { Instrument("drill") }
          PluginPoint("laser") {
            Candidate("laser cutter") { Instrument("laser cutter") }
            Candidate("shared id") { Instrument("shared id") }
          }
          PluginPoint("empty") {}
        }
      }
      Candidate("glue") { Instrument("glue") }
    }
  }

  private static let everybody = Guest(enabledFeatures: ["power"])

  @Test("adds a candidate at the end, where its priority and its rule apply")
  func addCandidate() throws {
    var point = Self.point()
    try point.add(Candidate("nail") { Instrument("nail") })
    try point.add(Candidate("crane", priority: 5) { Instrument("crane") }.when(.feature("power")))
    #expect(
      point.candidateIDs == ["hammer", "saw", "drill", "laser cutter", "shared id", "glue", "nail", "crane"])
    #expect(
      point.plugins(in: Self.everybody).map(\.name)
        == ["crane", "drill", "hammer", "saw", "laser cutter", "shared id", "glue", "nail"])
    #expect(point.plugins(in: Guest()).map(\.name) == ["hammer", "saw", "glue", "nail"])
  }

  @Test("adds a point at the end, with its gate")
  func addPoint() throws {
    var point = Self.point()
    try point.add(
      PluginPoint("heavy", when: .feature("heavy")) {
        Candidate("crane", priority: 5) { Instrument("crane") }
        Candidate("digger") { Instrument("digger") }
      })
    #expect(point.plugins(in: Guest()).map(\.name) == ["hammer", "saw", "glue"])
    #expect(
      point.plugins(in: Guest(enabledFeatures: ["heavy"])).map(\.name)
        == ["crane", "hammer", "saw", "glue", "digger"])
  }

  @Test("refuses a second candidate with an id, at any depth, and leaves the point unchanged")
  func addDuplicate() throws {
    var point = Self.point()
    let before = point.plugins(in: Self.everybody)
    let error = try #require(throws: InjectorError.self) {
      try point.add(Candidate("hammer", fileID: "Shop/More.swift", line: 9) { Instrument("other") })
    }
    #expect(
      "\(error)" == """
        add to the point "tools" was refused: it already contains Tool [hammer].
          service:        Tool [hammer]
          point:          tools
          declared at:    Shop/Tools.swift:2
        To fix this:
          - Give the new candidate its own id, or remove the existing one first.
        """)

    let nested = PluginPoint<any Tool, Guest>("nested") {
      Candidate("crane") { Instrument("crane") }
      PluginPoint("inside") { Candidate("laser cutter") { Instrument("other") } }
    }
    let nestedError = try #require(throws: InjectorError.self) { try point.add(nested) }
    #expect(nestedError.facts.candidate == "laser cutter")

    #expect(point.candidateIDs == Self.point().candidateIDs)
    #expect(point.plugins(in: Self.everybody).elementsEqual(before) { $0 === $1 })
  }

  @Test("refuses a point with two candidates of one id")
  func addPointWithDuplicates() throws {
    var point = Self.point()
    let twice = PluginPoint<any Tool, Guest>("twice") {
      Candidate("crane", fileID: "Shop/Heavy.swift", line: 1) { Instrument("crane") }
      Candidate("crane", fileID: "Shop/Heavy.swift", line: 2) { Instrument("crane") }
    }
    let error = try #require(throws: InjectorError.self) { try point.add(twice) }
    #expect(error.facts.candidate == "crane")
    #expect(error.facts.registeredAt == CodeLocation(fileID: "Shop/Heavy.swift", line: 1))
    #expect(point.candidateIDs == Self.point().candidateIDs)
  }

  @Test("keeps the instances of candidates that share an id from the beginning")
  func namesakes() throws {
    var point = PluginPoint<any Tool, Guest>("twins") {
      Candidate("twin") { Instrument("first") }
      Candidate("twin", priority: 1) { Instrument("second") }
      Candidate("other") { Instrument("other") }
    }
    let before = point.plugins(in: Guest())
    try point.add(Candidate("new") { Instrument("new") })
    point.remove("other")
    let after = point.plugins(in: Guest())
    #expect(after.map(\.name) == ["second", "first", "new"])
    #expect(after[0] === before[0] && after[1] === before[1])
  }

  static let removals: [(String, [String])] = [
    ("hammer", ["saw", "drill", "laser cutter", "shared id", "glue"]),
    ("glue", ["hammer", "saw", "drill", "laser cutter", "shared id"]),
    ("saw", ["hammer", "drill", "laser cutter", "shared id", "glue"]),
    ("drill", ["hammer", "saw", "laser cutter", "shared id", "glue"]),
    ("laser cutter", ["hammer", "saw", "drill", "shared id", "glue"]),
    ("cutting", ["hammer", "glue"]),
    ("power", ["hammer", "saw", "glue"]),
    ("laser", ["hammer", "saw", "drill", "glue"]),
    ("empty", ["hammer", "saw", "drill", "laser cutter", "shared id", "glue"]),
  ]

  @Test("removes a candidate or a point at any depth, and keeps the instances of the others", arguments: removals)
  func remove(_ id: String, _ remaining: [String]) {
    var point = Self.point()
    let copy = point
    let before = point.plugins(in: Self.everybody)

    let isRemoved = point.remove(id)
    #expect(isRemoved)
    #expect(point.candidateIDs == remaining)
    #expect(!point.explain(in: Guest()).description.contains("point \(id):"))

    let after = point.plugins(in: Self.everybody)
    let kept = before.filter { remaining.contains($0.name) }
    #expect(after.map(\.name) == kept.map(\.name))
    #expect(after.elementsEqual(kept) { $0 === $1 })

    let isRemovedAgain = point.remove(id)
    #expect(!isRemovedAgain)
    #expect(copy.plugins(in: Self.everybody).elementsEqual(before) { $0 === $1 }, "A copy is not edited.")
  }

  @Test("changes nothing if no element has the id", arguments: ["crane", "tools", "", "Hammer"])
  func removeNothing(_ id: String) {
    var point = Self.point()
    let before = point.plugins(in: Self.everybody)
    let isRemoved = point.remove(id)
    #expect(!isRemoved)
    #expect(point.plugins(in: Self.everybody).elementsEqual(before) { $0 === $1 })
  }

  @Test("removes all candidates and points with an id at once")
  func removeSeveral() {
    var point = PluginPoint<String, Guest>("point") {
      Candidate("x") { "x" }
      PluginPoint("x") { Candidate("a") { "a" } }
      PluginPoint("y") {
        PluginPoint("x") { Candidate("b") { "b" } }
        Candidate("c") { "c" }
      }
    }
    let isRemoved = point.remove("x")
    #expect(isRemoved)
    #expect(point.candidateIDs == ["c"])
  }

  @Test("makes a new instance for a candidate that replaces a removed one")
  func replace() throws {
    var point = Self.point()
    let old = try #require(point.first(in: Guest()))
    #expect(old.name == "hammer")
    point.remove("hammer")
    try point.add(Candidate("hammer", priority: 1) { Instrument("better hammer") })
    #expect(point.first(in: Guest())?.name == "better hammer")
  }

  @Test("keeps instances after additions, and shares them with earlier copies")
  func instances() throws {
    var point = Self.point()
    let copy = point
    let saw = try #require(point.plugins(in: Guest()).first { $0.name == "saw" })
    try point.add(Candidate("nail") { Instrument("nail") })
    #expect(point.plugins(in: Guest()).contains { $0 === saw })
    #expect(copy.plugins(in: Guest()).contains { $0 === saw })

    // The copies also share an instance that is made after the edit.
    let drill = try #require(point.first(in: Self.everybody))
    #expect(copy.first(in: Self.everybody) === drill)
  }

  @Test("keeps nothing of a removed candidate beyond the next edit")
  func released() {
    var point = Self.point()
    weak let hammer = point.first(in: Guest())
    #expect(hammer != nil)
    point.remove("hammer")
    #expect(point.first(in: Guest())?.name == "saw")
    point.remove("glue")
    #expect(hammer == nil)
  }

  @Test("adds a point with all of its candidates, or none")
  func addElements() throws {
    var point = Self.point()
    let more = PluginPoint<any Tool, Guest>("more") {
      Candidate("nail") { Instrument("nail") }
      PluginPoint("fine") { Candidate("file") { Instrument("file") } }
    }
    try point.add(more)
    let ids = ["hammer", "saw", "drill", "laser cutter", "shared id", "glue", "nail", "file"]
    #expect(point.candidateIDs == ids)

    let twice = PluginPoint<any Tool, Guest>("twice") {
      Candidate("screw") { Instrument("screw") }
      Candidate("glue") { Instrument("other glue") }
    }
    let error = #expect(throws: InjectorError.self) { try point.add(twice) }
    #expect(error?.facts.candidate == "glue" && error?.facts.point == "tools")
    #expect(point.candidateIDs == ids)
    try point.add(Candidate("screw") { Instrument("screw") })
    #expect(point.candidateIDs == ids + ["screw"])
  }
}
