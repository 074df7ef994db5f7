import PlugOperations
import Testing

@testable import Plug

private protocol Device: Sendable {}

private struct Hammer: Device {}

private struct Box: Sendable {
  let tools: [any Device]
  let byID: [String: any Device]
}

private struct Names: Sendable {
  let names: [String]
}

private struct Bench {
  @Injected var tools: [any Device]
  @Injected var byID: [String: any Device]

  init(_ injector: Injector) {
    _tools = Injected(injector: injector)
    _byID = Injected(injector: injector)
  }
}

@Suite("A collection of a service without registrations")
struct AbsentCollectionsTests {
  let injector = Injector("tools")

  @Test("is empty, in every form of request")
  func empty() async throws {
    #expect(try injector.get([any Device].self).isEmpty && injector.get([String: any Device].self).isEmpty)
    #expect(try injector.get([any Device].self, in: 7).isEmpty)
    #expect(try injector.get([String: any Device].self, in: 7).isEmpty)
    #expect(try await injector.load([any Device].self).isEmpty)
    #expect(try await injector.load([any Device].self, in: 7).isEmpty)
    let bench = Bench(injector)
    #expect(bench.tools.isEmpty && bench.byID.isEmpty)
    #expect(try injector.getAll((any Device).self).isEmpty)
  }

  @Test("is empty when it is wired, and valid before and after the request", arguments: [true, false])
  func wired(isSealed: Bool) throws {
    try injector.register(injectable: .lazySingleton(wiring: Box.init))
    if isSealed { try injector.seal() } else { try injector.validate() }
    let box = try injector.get(Box.self)
    #expect(box.tools.isEmpty && box.byID.isEmpty)
    try injector.validate()
    #expect(injector.graph().description == "Box (lazySingleton, constructed)")
  }

  @Test("is valid when a closure has requested it")
  func recorded() throws {
    try injector.register { Box(tools: try $0.get(), byID: try $0.get()) }
    #expect(try injector.get(Box.self).tools.isEmpty)
    try injector.validate()
  }

  @Test("can be requested with a context, too")
  func context() throws {
    try injector.register(
      PluginPoint<any Device, Int>("tools") {
        Candidate("first") { Hammer() }
        Candidate("second") { Hammer() }.when(Rule("is positive") { $0 > 0 })
      })
    #expect(try injector.get([any Device].self, in: 1).count == 2)
    #expect(try injector.get([String: any Device].self, in: 0).keys.sorted() == ["first"])
  }

  @Test("is missing if its elements are of a concrete type, since a registration was more likely forgotten")
  func concrete() throws {
    try injector.register(injectable: .lazySingleton(wiring: Names.init), fileID: "Tools/Names.swift", line: 1)
    #expect(throws: InjectorError.self) { try injector.get(Names.self) }
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    #expect(
      error?.description == """
        Injector "tools" is not valid: 1 problem in 1 service.
        1. Array<String> is not registered, but is needed by Names.
           at Tools/Names.swift:1
           Register it, or remove the services that need it.
        """)
    try injector.register(injectable: .singleton("hammer"))
    #expect(try injector.get(Names.self).names == ["hammer"])
  }
}
