import Plug
import TestSupport
import Testing

extension Injector.Name {
  fileprivate static let leased: Self = "leased"
}

private struct Configuration: Sendable {
  @Registered(in: .leased) var network = Injection<any Networking>.singleton(HTTPNetworking())
}

private let registrationLine = #line - 3

// The bodies of exit tests are functions outside of them, because the macro moves lines.
private func registerTwice() throws {
  let injector = Injector(.leased)
  try injector.register(as: (any Networking).self) { HTTPNetworking() }
  _ = Configuration()
}

private let firstLine = #line - 4

@Suite("A registered property", .serialized)
struct RegisteredTests {
  @Test("is registered while its owner lives, and a later error says that the owner has ended")
  func lease() throws {
    let injector = Injector(.leased)
    do {
      let configuration = Configuration()
      let copy = configuration
      #expect(try injector.get((any Networking).self).name == "http")
      withExtendedLifetime(copy) {}
    }
    let error = #expect(throws: InjectorError.self) { try injector.get((any Networking).self) }
    #expect(
      error?.description == """
        get((any Networking).self) failed: nothing is registered for Networking.
          service:        Networking
          injector:       leased
          chain:          Networking
          asked at:       \(place(error))
        To fix this:
          - Register it before you ask for it: try Injector["leased"].register((any Networking).self, …).
        """)
  }

  @Test("keeps a registration that has replaced its own, and candidates of the service")
  func replaced() throws {
    let injector = Injector(nil, allowRewrite: true)
    do {
      @Registered(inInjector: injector) var instance = Injection<Instance>.singleton(Instance("leased"))
      try injector.register(injectable: .singleton(Instance("replacement")))
      _ = instance
    }
    #expect(try injector.get(Instance.self).name == "replacement")
    do {
      @Registered(inInjector: injector) var instance = Injection<Instance>.singleton(Instance("leased"))
      try injector.contribute(
        Instance.self, .factory { Instance("gated") }, when: Rule<Int>.equals(\.self, 1))
      #expect(try injector.get(Instance.self, in: 0).name == "leased")
      _ = instance
    }
    #expect(try injector.get(Instance.self, in: 1).name == "gated")
    #expect(throws: InjectorError.self) { try injector.get(Instance.self, in: 0) }
  }

  @Test("of a sealed injector stays")
  func sealed() throws {
    let injector = Injector()
    do {
      @Registered(inInjector: injector) var instance = Injection<Instance>.singleton(Instance("leased"))
      try injector.seal()
      _ = instance
    }
    #expect(try injector.get(Instance.self).name == "leased")
  }

  @Test("that is refused ends the program with the whole diagnosis")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try registerTwice()
    }
    let expected = """
      \(#fileID):\(registrationLine): Fatal error: @Registered var of type Networking at \
      \(#fileID):\(registrationLine) cannot register.
      register((any Networking).self) was refused: Networking is already registered.
        service:        Networking
        injector:       leased
        registered at:  \(#fileID):\(firstLine)
        refused at:     \(#fileID):\(registrationLine)
      To fix this:
        - Remove one of the two registrations, or give one of them a tag: tag: "…".
        - Or make one of them a candidate that a rule selects: \
      try Injector["leased"].contribute((any Networking).self, …, when: …).
        - Or keep both, for getAll, and register each so: \
      try Injector["leased"].contribute((any Networking).self, …).
        - Or unregister the first, or create the injector with allowRewrite: true.
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }
}
