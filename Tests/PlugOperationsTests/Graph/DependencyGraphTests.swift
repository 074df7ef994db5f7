import Foundation
import Plug
import PlugKeys
import PlugOperations
import TestSupport
import Testing

private struct Cart: Sendable {
  init(payments: any Networking, clock: Clock) {}
}
private final class Clock: Sendable {}
private final class Parent: Sendable {
  let child = Setting<Child>()
}
private struct Child: Sendable {
  let parent: Parent
}
private struct Season: Sendable {}
private struct Report: Sendable {}

@Suite("The graph of dependencies")
struct DependencyGraphTests {
  private func makeInjector() throws -> Injector {
    let injector = Injector("shop").recordDependencies()
    try injector.register(
      injectable: .lazySingleton(wiring: Cart.init), fileID: "Shop/Cart.swift", line: 1)
    try injector.register(
      as: Clock.self, tag: "utc", injectable: .weakSingleton { Clock() }, fileID: "Shop/Clock.swift", line: 2)
    try injector.register(
      PluginPoint<any Networking, Season>("payments", fileID: "Shop/Payments.swift", line: 3) {
        Candidate("card", .lazySingleton { Instance() }.dependsOnNothing, fileID: "Shop/Payments.swift", line: 4)
          .when(Rule("is open") { _ in true })
        Candidate("cash", .factory { Instance() }, fileID: "Shop/Payments.swift", line: 5)
      })
    try injector.register(
      as: Parent.self,
      injectable: .lazySingleton { Parent() }.configure { $0.child.set(try $1.get()) },
      fileID: "Shop/Family.swift", line: 6)
    try injector.register(injectable: .graph(wiring: Child.init), fileID: "Shop/Family.swift", line: 7)
    try injector.register(
      as: Report.self,
      injectable: .scoped { injector in
        _ = try injector.get(Clock.self, tag: "utc")
        return Report()
      }, fileID: "Shop/Report.swift", line: 8)
    _ = try injector.get(Parent.self)
    _ = try injector.makeScope().get(Report.self)
    return injector
  }

  @Test("prints as an indented tree")
  func text() throws {
    let text = try makeInjector().graph().description
    #expect(
      text == """
        Cart (lazySingleton)
          Clock: not registered
          Networking: one of 2
            [card] (lazySingleton)
            [cash] (factory)
        Report (scoped)
          Clock (tag "utc") (weakSingleton)
        Child (graph)
          Parent (lazySingleton, constructed)
            Child (graph, in configure) …
        """)
  }

  @Test("of one service contains only the service and its dependencies")
  func one() throws {
    let injector = try makeInjector()
    let text = try injector.graph(of: Cart.self).description
    #expect(
      text == """
        Cart (lazySingleton)
          Clock: not registered
          Networking: one of 2
            [card] (lazySingleton)
            [cash] (factory)
        """)
    #expect(throws: InjectorError.self) { try injector.graph(of: Int.self) }
  }

  @Test("of one service in a scope contains only what requests to the scope reach")
  func oneInScope() throws {
    let root = Injector("shop")
    try root.register(injectable: .lazySingleton { Season() })
    try root.register(tag: "client", injectable: .factory { "\(try $0.get(Season.self))" }.depends(on: Season.self))
    let client = Injection<[String]>.lazySingleton { [try $0.get(tag: "client")] }
    try root.register(injectable: client.depends(on: String.self, tag: "client"))
    let scope = root.makeScope("request")
    try scope.register(injectable: .scoped { Season() })
    #expect(
      try scope.graph(of: String.self, tag: "client").description == """
        String (tag "client") (factory)
          Season (scoped)
        """)
  }

  @Test("of a service with candidates shows the context that chooses among them")
  func context() throws {
    let injector = try makeInjector()
    try injector.register(injectable: .singleton(Season()))
    let text = try injector.graph(of: (any Networking).self).description
    #expect(
      text == """
        Networking: one of 2
          [card] (lazySingleton)
          [cash] (factory)
          Season (singleton, constructed)
        """)
  }

  @Test("prints as a Mermaid flowchart")
  func mermaid() throws {
    let text = try makeInjector().graph().mermaid
    #expect(
      text == """
        flowchart LR
          n0["Cart<br/>lazySingleton"]
          n1["Child<br/>graph"]
          n2(["Clock<br/>not registered"])
          n3["Clock (tag #quot;utc#quot;)<br/>weakSingleton"]
          n4{{"Networking"}}
          n5["card<br/>lazySingleton"]
          n6["cash<br/>factory"]
          n7["Parent<br/>lazySingleton"]
          n8["Report<br/>scoped"]
          n0 --> n2 & n4
          n1 --> n7
          n4 -.- n5 & n6
          n7 -. configure .-> n1
          n8 --> n3
        """)
  }

  @Test("prints as a Graphviz digraph")
  func graphviz() throws {
    let text = try makeInjector().graph().graphviz
    #expect(
      text == """
        digraph {
          rankdir=LR
          node [shape=box]
          n0 [label="Cart\\nlazySingleton"]
          n1 [label="Child\\ngraph"]
          n2 [label="Clock\\nnot registered", shape=oval, color=red]
          n3 [label="Clock (tag \\"utc\\")\\nweakSingleton"]
          n4 [label="Networking", shape=hexagon]
          n5 [label="card\\nlazySingleton"]
          n6 [label="cash\\nfactory"]
          n7 [label="Parent\\nlazySingleton"]
          n8 [label="Report\\nscoped"]
          n0 -> n2
          n0 -> n4
          n1 -> n7
          n4 -> n5 [style=dotted, arrowhead=none]
          n4 -> n6 [style=dotted, arrowhead=none]
          n7 -> n1 [label=configure, style=dashed, constraint=false]
          n8 -> n3
        }
        """)
  }

  @Test("can be drawn by Graphviz", .enabled(if: Dot.path != nil, "dot is not installed"))
  func drawing() throws {
    let drawing = try Dot.draw(makeInjector().graph().graphviz)
    #expect(drawing.contains("</svg>") && drawing.contains("Cart") && drawing.contains("configure"))
  }

  @Test("can be stored as JSON, with the location and the lifetime of each service")
  func codable() throws {
    let graph = try makeInjector().graph()
    let data = try JSONEncoder().encode(graph)
    #expect(try JSONDecoder().decode(DependencyGraph.self, from: data) == graph)
    let clock = try #require(graph.nodes.first { $0.service == "Clock" && $0.tag == "utc" })
    #expect(clock.registeredAt == CodeLocation(fileID: "Shop/Clock.swift", line: 2))
    #expect(clock.environment == "shop" && clock.lifetime == .weakSingleton && clock.kind == .implementation)
  }

  @Test("of a scope shows the scope's instances, and which injector registers each service")
  func scope() throws {
    let injector = try makeInjector()
    let scope = try injector.makeScope("request") { try $0.register(injectable: .singleton(Season())) }
    _ = try scope.get(Report.self)
    let nodes = scope.graph().nodes
    #expect(nodes.first { $0.service == "Report" }?.isConstructed == true)
    #expect(injector.graph().nodes.first { $0.service == "Report" }?.isConstructed == false)
    #expect(nodes.first { $0.service == "Season" }?.environment == "shop/request")
    #expect(nodes.first { $0.service == "Cart" }?.environment == "shop")
  }
}

/// The program of Graphviz.
private enum Dot {
  static let path = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"]
    .first(where: FileManager.default.isExecutableFile)

  /// The picture that dot makes from a string.
  static func draw(_ text: String) throws -> String {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = ["-Tsvg"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let drawing = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: drawing, as: UTF8.self)
  }
}
