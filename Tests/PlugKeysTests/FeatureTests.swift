import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("A feature")
struct FeatureTests {
  @Test("is loaded once, from the values of the injector, and may be of any type")
  func loaded() {
    let injector = Injector()
    injector[Volume.self] = 7
    #expect(injector[WallClock.self].now() == 7)
    injector[Volume.self] = 8
    #expect(injector[WallClock.self].now() == 7)
    #expect(injector[Network.self].name == "light")
  }

  @Test("can be replaced, and is loaded anew after a reset")
  func swapped() {
    let injector = Injector()
    #expect(injector[WallClock.self].now() == 0)
    injector[WallClock.self] = .constant(42)
    #expect(injector[WallClock.self].now() == 42)
    injector[Volume.self] = 1
    injector.reset(WallClock.self)
    #expect(injector[WallClock.self].now() == 1)
    injector.reset(WallClock.self)
    injector.reset(WallClock.self)
    injector[WallClock.self] = .constant(43)
    #expect(injector[WallClock.self].now() == 43)
  }

  @Test("is separate in each injector, and is shared with scopes until they set their own")
  func scopes() {
    let (injector, other) = (Injector(), Injector())
    injector[Volume.self] = 1
    let scope = injector.makeScope("scope")
    scope[Volume.self] = 2
    #expect(scope[WallClock.self].now() == 1)
    #expect(other[WallClock.self].now() == 0)
    scope[WallClock.self] = .constant(3)
    #expect([injector[WallClock.self].now(), scope[WallClock.self].now()] == [1, 3])
    scope.reset(WallClock.self)
    injector[WallClock.self] = .constant(4)
    #expect(scope[WallClock.self].now() == 4)
  }

  @Test("that fails to load throws an error with its name, and is loaded again at the next request")
  func throwing() throws {
    let injector = Injector("services")
    let line = #line + 1
    let error = #expect(throws: InjectorError.self) { try injector.get(BrokenFeature.self) }
    #expect(
      error?.description == """
        BrokenFeature could not be made: the disk is full
          service:        BrokenFeature
          injector:       services
          chain:          BrokenFeature
          asked at:       \(place(error))
          registered at:  \(#fileID):\(line)
        To fix this:
          - Check the factory, which threw Failure. The next get tries again.
        """)
    injector[Volume.self] = 1
    #expect(try injector.get(BrokenFeature.self) == 1)
  }

  @Test("that needs itself through a service throws an error with the path")
  func circular() throws {
    let injector = Injector()
    try injector.register(as: (any Networking).self) { HTTPNetworking(name: "\(try $0.get(Circular.self))") }
    #expect(throws: InjectorError.self) { try injector.get(Circular.self) }
    let outcome = Result { () throws(InjectorError) in try injector.get(Circular.self) }
    #expect(outcome.circularPath == ["Circular", "Networking", "Circular"])
  }

  @Test("cannot capture a service of a scope")
  func captive() throws {
    let injector = Injector()
    try injector.register(as: (any Networking).self, injectable: .scoped { HTTPNetworking() })
    let scope = injector.makeScope("scope")
    _ = try scope.get((any Networking).self)
    #expect { try scope.get(NeedsScoped.self) } throws: { error in
      guard case InjectorError.captiveDependency(_, let path) = error else { return false }
      return path == ["NeedsScoped (lazySingleton)", "Networking (scoped)"]
    }
  }

  @Test("of a sealed injector cannot be set: the program ends with the diagnosis")
  func sealed() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try setSealed() }
    let expected = """
      \(#fileID):\(setSealedLine): Fatal error: Injector("services")[WallClock.self] cannot be set.
      The registrations of WallClock cannot change: the injector is sealed.
        service:        WallClock
        injector:       services
        registered at:  \(#fileID):\(setSealedLine - 2)
      To fix this:
        - Change them before seal(), or use an injector that is not sealed.
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }

  @Test("that is requested as a service throws an error with the right spelling, and can be registered as one")
  func asService() throws {
    struct Screen: Sendable { let clock: WallClock }
    let injector = Injector("services")
    let error = #expect(throws: InjectorError.self) {
      let clock: WallClock = try injector.get()
      return clock
    }
    #expect(
      error?.description == """
        get(WallClock.self) failed: nothing is registered for WallClock.
          service:        WallClock
          injector:       services
          chain:          WallClock
          asked at:       \(place(error))
        To fix this:
          - Ask for it as a feature: Injector["services"][WallClock.self].
          - Or register it, to get it by its type: try Injector["services"].register { $0[WallClock.self] }.
        """)
    try injector.register { $0[WallClock.self] }
    try injector.register(injectable: .factory(wiring: Screen.init))
    injector[Volume.self] = 3
    #expect(try injector.get(Screen.self).clock.now() == 3)
  }

  @Test("notifies its observers when it is set or reset")
  func observed() {
    let injector = Injector()
    let scope = injector.makeScope("scope")
    let log = Log()
    let observation = injector.observe(WallClock.self, sendsCurrentValue: true) { log.add("\($0.now())") }
    let inner = scope.observe(WallClock.self) { log.add("scope: \($0.now())") }
    injector[WallClock.self] = .constant(1)
    scope[WallClock.self] = .constant(2)
    injector[WallClock.self] = .constant(3)
    scope.reset(WallClock.self)
    injector.reset(WallClock.self)
    #expect(log.lines == ["0", "1", "scope: 1", "scope: 2", "3", "scope: 3", "0", "scope: 0"])
    observation.cancel()
    inner.cancel()
    injector[WallClock.self] = .constant(9)
    #expect(log.lines.count == 8)
  }
}

private enum BrokenFeature: Feature {
  static func load(in injector: Injector) throws -> Int {
    if injector[Volume.self] == 0 { throw Failure() }
    return injector[Volume.self]
  }
}

private struct Circular: Feature {
  static func load(in injector: Injector) throws -> Circular {
    _ = try injector.get((any Networking).self)
    return Circular()
  }
}

private struct NeedsScoped: Feature {
  static func load(in injector: Injector) throws -> NeedsScoped {
    _ = try injector.get((any Networking).self)
    return NeedsScoped()
  }
}

private let setSealedLine = #line + 6

private func setSealed() throws {
  let injector = Injector("services")
  _ = injector[WallClock.self]
  try injector.seal()
  injector[WallClock.self] = .constant(0)
}
