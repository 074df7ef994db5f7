import PlugOperations
import TestSupport
import Testing

@testable import Plug

private protocol Device: Sendable {
  var name: String { get }
}

private struct Hammer: Device {
  var name = "hammer"
}

private struct Saw: Device {
  var name = "saw"
}

private struct Box: Sendable {
  let tools: [any Device]
  let byID: [String: any Device]
}

private struct Bench {
  @Injected var tools: [any Device]
  @Injected var byID: [String: any Device]
  @Injected var absent: [Hammer]?

  init(_ injector: Injector) {
    _tools = Injected(injector: injector)
    _byID = Injected(injector: injector)
    _absent = Injected(injector: injector)
  }
}

extension Injector {
  fileprivate func registerDevices() throws {
    try register(
      PluginPoint<any Device, Injector>("tools") {
        Candidate("hammer") { Hammer() }
        Candidate("saw", priority: 5) { Saw() }
        Candidate("broken") { Saw(name: "broken") }.when(.never)
      })
    try register(as: (any Device).self) { Hammer(name: "other") }
  }
}

@Suite("Several implementations at once")
struct InjectorCollectionsTests {
  let injector = Injector()

  @Test("are available by the ids of their candidates")
  func byID() throws {
    try injector.registerDevices()
    let tools: [String: any Device] = try injector.get()
    #expect(tools.mapValues(\.name) == ["hammer": "hammer", "saw": "saw", "default": "other"])
    #expect(try injector.get([String: any Device].self, in: injector).mapValues(\.name) == tools.mapValues(\.name))
    #expect(try injector.get([String: any Networking].self).isEmpty)
    #expect(try injector.get([String: any Networking].self, in: 7).isEmpty)
  }

  @Test("are wired as an array and as a dictionary", arguments: [true, false])
  func wired(isSealed: Bool) throws {
    try injector.registerDevices()
    try injector.register(injectable: .lazySingleton(wiring: Box.init))
    if isSealed { try injector.seal() } else { #expect(try injector.validate().problems.isEmpty) }
    let box: Box = try injector.get()
    #expect(box.tools.map(\.name) == ["saw", "hammer", "other"])
    #expect(box.byID.mapValues(\.name) == ["hammer": "hammer", "saw": "saw", "default": "other"])
    #expect(
      injector.graph().description == """
        Box (lazySingleton, constructed)
          Device: one of 4
            [broken] (lazySingleton)
            [default] (lazySingleton, constructed)
            [hammer] (lazySingleton, constructed)
            [saw] (lazySingleton, constructed)
        """)
  }

  @Test("are injected into properties")
  func injected() throws {
    try injector.registerDevices()
    let bench = Bench(injector)
    #expect(bench.tools.map(\.name) == ["saw", "hammer", "other"])
    #expect(bench.byID.mapValues(\.name) == ["hammer": "hammer", "saw": "saw", "default": "other"])
    #expect(bench.absent?.count == nil)
  }

  @Test("are replaced by a registration of the collection itself, and missing ones are an error")
  func precedence() throws {
    try injector.registerDevices()
    try injector.register(as: [any Device].self, injectable: .singleton([Saw(name: "own")]))
    #expect(try injector.get([any Device].self).map(\.name) == ["own"])
    let error = #expect(throws: InjectorError.self) { try Injector().get([Int].self) }
    #expect(
      error?.description == """
        get(Array<Int>.self) failed: nothing is registered for Array<Int>.
          service:        Array<Int>
          injector:       (unnamed)
          chain:          Array<Int>
          asked at:       \(place(error))
        To fix this:
          - Register it before you ask for it: try register(Array<Int>.self, …).
          - Or register its elements: the collection then contains all that apply.
        """)
  }

  @Test("in an array of arrays are missing, in validation as in a get")
  func arrays() throws {
    struct Rack: Sendable {
      let devices: [[any Device]]
    }
    try injector.registerDevices()
    try injector.register(injectable: .lazySingleton(wiring: Rack.init))
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    guard case .invalid(_, let report) = try #require(error) else { throw try #require(error) }
    #expect(report.problems.map(\.subject) == ["Array<Array<Device>>"])
    #expect(throws: InjectorError.self) { try injector.get(Rack.self) }
  }

  @Test("of an optional request are all of them, or nil")
  func optional() throws {
    #expect(injector[[any Device].self]?.count == nil)
    try injector.registerDevices()
    #expect(injector[[any Device].self]?.count == 3)
  }

  @Test("come from several environments")
  func environments() throws {
    let (first, second) = (Injector("tools 1"), Injector("tools 2"))
    try first.registerDevices()
    try second.register(as: (any Device).self) { Saw(name: "second") }
    let tools = try ["tools 2", "tools 1", "tools 3"].flatMap { try Injector[$0].getAll((any Device).self) }
    #expect(tools.map(\.name) == ["second", "saw", "hammer", "other"])
  }

  @Test("are loaded, if they are made asynchronously")
  func loaded() async throws {
    try injector.register(
      PluginPoint<any Device, Injector>("tools") {
        Candidate(
          "slow",
          .lazySingleton {
            await Task.yield()
            return Saw(name: "slow")
          })
        Candidate("hammer") { Hammer() }
      })
    try injector.register(injectable: .lazySingleton(wiring: Box.init))
    #expect(throws: InjectorError.self) { try injector.get(Box.self) }
    #expect(try await injector.load(Box.self).tools.map(\.name) == ["slow", "hammer"])
    #expect(try await injector.load([any Device].self).map(\.name) == ["slow", "hammer"])
  }

  @Test("of a concrete type without a registration are an error in a dictionary")
  func absentConcrete() throws {
    let error = #expect(throws: InjectorError.self) { try injector.get([String: Int].self) }
    guard case .notRegistered(let facts) = error else { throw try #require(error) }
    #expect(facts.service == "Dictionary<String, Int>" && facts.requestedAt?.line == #line - 2)
    try injector.contribute(Int.self, .factory { 7 }, when: Rule<Injector>.never, id: "seven")
    #expect(try injector.get([String: Int].self).isEmpty)
  }
}
