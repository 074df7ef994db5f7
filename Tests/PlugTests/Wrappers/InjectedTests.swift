import Plug
import TestSupport
import Testing

extension Injector.Name {
  fileprivate static let wrapped: Self = "wrapped"
}

extension Injector.Tag {
  fileprivate static let replica: Self = "replica"
}

private struct Screen: Sendable {
  @Injected(.wrapped) var network: any Networking
  @Injected(.wrapped, tag: .replica) var replica: any Networking
  @Injected(.wrapped) var absent: Instance?
}

private struct Defaults: Sendable {
  @Injected var missing: Instance
  @Injected var absent: Instance?
  @Injected(tag: .replica) var tagged: Instance?
}

@Suite("An injected property", .serialized)
struct InjectedTests {
  @Test("gets its value from an environment, by tag, and is nil if it is optional and absent")
  func environment() throws {
    let injector = Injector(.wrapped)
    try injector.register(as: (any Networking).self, injectable: .singleton(HTTPNetworking(name: "main")))
    try injector.register(
      as: (any Networking).self, tag: .replica, injectable: .singleton(HTTPNetworking(name: "copy")))
    let screen = Screen()
    #expect(screen.network.name == "main")
    #expect(screen.replica.name == "copy")
    #expect(screen.absent == nil)
    try injector.register { Instance("late") }
    #expect(screen.absent?.name == "late")
  }

  @Test("keeps its value after the first read, and shares it with its copies")
  func kept() throws {
    let injector = Injector()
    let made = Counter()
    try injector.register(injectable: .factory { Instance("\(made.increment())") })
    @Injected(injector: injector) var first: Instance
    let copy = _first
    #expect(made.value == 0)
    #expect(first.name == "1" && first.name == "1" && copy.wrappedValue === first)
    try injector.unregister(Instance.self)
    #expect(first.name == "1")
  }

  @Test("can be read by a call that throws instead of ending the program")
  func projected() throws {
    @Injected(injector: Injector("empty")) var instance: Instance
    #expect(throws: InjectorError.self) { try $instance.get() }
    #expect(Defaults().absent == nil && Defaults().tagged == nil)
  }

  @Test("keeps an injector that only it holds while the request around its first read may fail")
  func abandoned() throws {
    func makeProperty() throws -> Injected<Instance> {
      let injector = Injector()
      try injector.register(injectable: .lazySingleton { Instance("kept") })
      return Injected(injector: injector)
    }
    let (property, outer) = (try makeProperty(), Injector())
    try outer.register(
      injectable: .lazySingleton { Counter() }.configure { _, _ in
        _ = try property.get()
        throw Failure()
      })
    #expect(throws: InjectorError.self) { try outer.get(Counter.self) }
    #expect(try property.get().name == "kept")
  }

  @Test("without a service ends the program with the whole diagnosis")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Defaults().missing
    }
    let line = 20
    let expected = """
      \(#fileID):\(line): Fatal error: @Injected var of type Instance at \(#fileID):\(line) cannot be read.
      get(Instance.self) failed: nothing is registered for Instance.
        service:        Instance
        injector:       default
        chain:          Instance
        asked at:       \(#fileID):\(line)
      To fix this:
        - Register it before you ask for it: try Injector.default.register(Instance.self, …).
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }
}
