import Observation
import PlugOperations
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

extension Injector {
  fileprivate var client: Provider<HTTPNetworking> {
    provide(.factory { HTTPNetworking(name: $0.basis()) })
  }
  fileprivate var basis: Provider<String> { provide(.lazySingleton { $0[Theme.self] }) }
}

@Suite("In graphs and traces, a key", .serialized)
struct KeysInGraphTests {
  @Test("of a loaded feature appears in the graph with the feature's dependencies")
  func feature() throws {
    let injector = Injector()
    injector.recordDependencies()
    try injector.register(as: (any Networking).self) { HTTPNetworking() }
    _ = injector[Asking.self]
    let graph = injector.graph()
    #expect(graph.nodes.map(\.name) == ["Asking", "Networking"])
    #expect(graph.edges.map { [$0.from, $0.to] } == [[0, 1]])
    #expect(try injector.validate().serviceCount == 2)
  }

  @Test("of a property appears in no graph")
  func property() {
    let injector = Injector()
    injector.recordDependencies()
    injector[Theme.self] = "dark"
    #expect(injector.graph().nodes == [])
  }

  @Test("of a provider or a feature that has been reset is not a missing dependency")
  func reset() throws {
    let injector = Injector()
    injector.recordDependencies()
    try injector.register(as: (any Networking).self) {
      HTTPNetworking(name: $0.basis() + "\($0[WallClock.self].now())")
    }
    #expect(try injector.get((any Networking).self).name == "light0")
    try injector.basis.reset()
    injector.reset(WallClock.self)
    #expect(injector.graph().nodes.map(\.name) == ["Networking", #"\.basis"#])
  }

  @Test("of a provider that has been used appears in the graph with the provider's dependencies")
  func provider() throws {
    let injector = Injector()
    injector.recordDependencies()
    _ = injector.client()
    #expect(
      injector.graph().description == """
        \\.client (factory)
          \\.basis (lazySingleton, constructed)
        """)
    #expect(try injector.validate().serviceCount == 2)
  }

  /// Notes the value that an injector has, and that it will change.
  private func track(_ injector: Injector, _ log: Log) {
    withObservationTracking {
      log.add(injector[Theme.self])
    } onChange: {
      log.add("will change")
    }
  }

  @Test("that a scope inherits is tracked by Observation, also while requests are traced")
  func trackingWhileTraced() {
    let injector = Injector()
    injector.recordDependencies()
    injector[Theme.self] = "dark"
    injector.tracer = { _ in }
    let (scope, log) = (injector.makeScope(), Log())
    track(scope, log)
    scope[Theme.self] = "blue"
    #expect(log.lines == ["dark", "will change"])
  }
}

private struct Asking: Feature {
  static func load(in injector: Injector) throws -> Asking {
    _ = try injector.get((any Networking).self)
    return Asking()
  }
}
