import Foundation
import Plug
import Testing

@testable import PlugOperations

private struct Shopper: Sendable {
  var id = "p-1"
}

@Suite("The JSON or drawing of an injector")
struct CodingTests {
  @Test("can be written even if it contains extreme or infinite numbers")
  func numbers() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<Int, Shopper>("point") {
        Candidate("one", .factory { 1 }).weight(1e-308, by: \.id)
        Candidate("two", .factory { 2 }).weight(1e308, by: \.id)
      })
    try services.disable("one", at: "point", because: "INC-7", since: .nan)
    try services.force("two", at: "point", because: "INC-7", since: .infinity)
    #expect(services[Switches.self].list.map(\.since) == [nil, nil])
    for id in 0..<50 {
      let explanation = try services.explain(Int.self, in: Shopper(id: "\(id)"))
      let decoded = try JSONDecoder().decode(Explanation.self, from: JSONEncoder().encode(explanation))
      #expect(decoded == explanation)
      #expect(decoded.description == explanation.description)
    }
    let report = services.report()
    #expect(try JSONDecoder().decode(InjectorReport.self, from: JSONEncoder().encode(report)) == report)
  }

  @Test("cannot be read if an edge leads to a node that does not exist", arguments: [-1, 1, Int.max])
  func edges(to node: Int) throws {
    let services = Injector("services")
    try services.register(injectable: .singleton(1))
    let json = String(decoding: try JSONEncoder().encode(services.graph()), as: UTF8.self)
    let edge = #""edges":[{"from":0,"to":\#(node),"kind":"known"}]"#
    let broken = json.replacingOccurrences(of: #""edges":[]"#, with: edge)
    #expect(broken != json)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(DependencyGraph.self, from: Data(broken.utf8)) }
  }

  @Test("escapes a quote even before a combining mark")
  func escapes() throws {
    let services = Injector("services")
    try services.register(tag: "a\"\u{301}b", injectable: .singleton(1))
    let graph = services.graph()
    #expect(graph.graphviz.unicodeScalars.contains { $0 == "\u{301}" })
    #expect(graph.graphviz.contains("a\\\"\u{301}b"))
    #expect(graph.mermaid.contains("a#quot;\u{301}b"))
  }
}
