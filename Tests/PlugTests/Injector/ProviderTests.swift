import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

protocol API: Sendable {
  var base: String { get }
}

private final class LiveAPI: API {
  let base: String

  init(base: String) {
    self.base = base
  }
}

private struct MockAPI: API {
  let base = "mock"
}

extension Injector {
  private static let madeAPIs = Counter()

  var api: Provider<any API> {
    provide(
      .lazySingleton {
        Self.madeAPIs.increment()
        return LiveAPI(base: $0[Theme.self])
      }, fileID: "Shop/API.swift", line: 9)
  }

  fileprivate var client: Provider<Client> { provide(.factory { try Client(api: $0.api.get()) }) }
  fileprivate var ping: Provider<Ping> { provide(.lazySingleton { Ping(pong: try $0.pong.get()) }) }
  fileprivate var pong: Provider<Pong> { provide(.lazySingleton { Pong(ping: try $0.ping.get()) }) }
  fileprivate var broken: Provider<Client> {
    provide(.lazySingleton { throw Failure() }, fileID: "Shop/API.swift", line: 7)
  }
  fileprivate var connection: Provider<Instance> {
    provide(.scoped { Instance() }, fileID: "Shop/API.swift", line: 8)
  }

  /// A provider with the name and type of one in another file.
  fileprivate var here: Provider<String> { provide(.singleton("here")) }
  fileprivate var elsewhere: Provider<String> {
    provide(.singleton("elsewhere"), name: "here", fileID: "Other/File.swift")
  }
}

extension Injector {
  fileprivate var pair: (Provider<String>, Provider<String>) {
    (provide(.singleton("left")), provide(.singleton("right")))
  }

  fileprivate static let log = Log()
  fileprivate var closable: Provider<any API> {
    provide(.singleton(MockAPI()).onClose { Self.log.add("closed \($0.base)") })
  }
}

private struct Cart {
  let injector: Injector
  var title: Provider<String> { injector.provide(.singleton("cart")) }
}

private struct Desk {
  let injector: Injector
  var title: Provider<String> { injector.provide(.singleton("desk")) }
}

private struct Client: Sendable { let api: any API }

private final class Ping: Sendable {
  let pong: Pong
  init(pong: Pong) { self.pong = pong }
}

private final class Pong: Sendable {
  let ping: Ping
  init(ping: Ping) { self.ping = ping }
}

extension Injector.Name {
  fileprivate static let provided: Self = "provided"
}

private struct Screen: Sendable {
  @Injected(\.api) var fromDefault
  @Injected(\.api, in: .provided) var api

  let other: Injected<any API>

  init(_ injector: Injector) {
    other = Injected(\.api, injector: injector)
  }
}

@Suite("A provider", .serialized)
struct ProviderTests {
  @Test("returns the instance of its injector, with the lifetime of its injection")
  func gives() throws {
    let (injector, other) = (Injector(), Injector())
    other[Theme.self] = "dark"
    #expect(try injector.api() as? LiveAPI === injector.api.get() as? LiveAPI)
    #expect([injector.api().base, other.api().base] == ["light", "dark"])
    #expect(injector.client().api.base == "light")
    #expect([injector.here(), injector.elsewhere()] == ["here", "elsewhere"])
  }

  @Test("is the source of an injected property")
  func injected() {
    let injector = Injector(.provided)
    injector[Theme.self] = "dark"
    let screen = Screen(injector)
    #expect([screen.fromDefault.base, screen.api.base, screen.other.wrappedValue.base] == ["light", "dark", "dark"])
  }

  @Test("can be overridden and reset, in a scope for that scope")
  func overriding() throws {
    let injector = Injector()
    #expect(injector.api().base == "light")
    try injector.api.override(.singleton(MockAPI()))
    #expect(injector.api().base == "mock")
    let scope = injector.makeScope("scope")
    #expect(scope.api().base == "mock")
    try scope.api.override(.lazySingleton { LiveAPI(base: "scope") })
    #expect([scope.api().base, injector.api().base] == ["scope", "mock"])
    try scope.api.reset()
    #expect(scope.api().base == "mock")
    try injector.api.reset()
    injector[Theme.self] = "dark"
    #expect(injector.api().base == "dark")
  }

  @Test("is overridden by a closure with a lazy singleton")
  func overridingClosure() throws {
    let injector = Injector()
    try injector.client.override { injector in Client(api: LiveAPI(base: injector.name?.rawValue ?? "closure")) }
    #expect(injector.client().api.base == "closure")
    #expect(injector.client().api as? LiveAPI === injector.client().api as? LiveAPI)
    try injector.client.reset()
    #expect(injector.client().api.base == "light")
  }

  @Test("can have any lifetime")
  func lifetimes() throws {
    let injector = Injector()
    let (first, second) = (injector.makeScope("first"), injector.makeScope("second"))
    #expect(try first.connection.get() === first.connection.get())
    #expect(try first.connection.get() !== second.connection.get())
    #expect { try injector.connection.get() } throws: { error in
      "\(error)"
        == """
        injector.connection() failed: \\.connection has one instance per scope, and this injector is not one.
          service:        \\.connection
          injector:       (unnamed)
          chain:          \\.connection
          asked at:       \(place(error as? InjectorError))
          registered at:  Shop/API.swift:8
        To fix this:
          - Get it from a scope: try makeScope("…").connection.get().
        """
    }
  }

  @Test("works in a sealed injector, and cannot be overridden there")
  func sealed() throws {
    let injector = Injector("services")
    try injector.seal()
    #expect(injector.api().base == "light")
    let error = #expect(throws: InjectorError.self) { try injector.api.override(.singleton(MockAPI())) }
    #expect(
      error?.description == """
        The registrations of \\.api cannot change: the injector is sealed.
          service:        \\.api
          injector:       services
          registered at:  Shop/API.swift:9
        To fix this:
          - Change them before seal(), or use an injector that is not sealed.
        """)
    #expect(throws: InjectorError.self) { try injector.api.reset() }
    #expect(injector.api().base == "light")
  }

  @Test("that needs itself, or fails, throws an error with its name")
  func errors() throws {
    let injector = Injector("services")
    let outcome = Result { () throws(InjectorError) in try injector.ping.get() }
    #expect(outcome.circularPath == ["\\.ping", "\\.pong", "\\.ping"])
    let error = #expect(throws: InjectorError.self) { try injector.broken.get() }
    #expect(
      error?.description == """
        \\.broken could not be made: the disk is full
          service:        \\.broken
          injector:       services
          chain:          \\.broken
          asked at:       \(place(error))
          registered at:  Shop/API.swift:7
        To fix this:
          - Check the factory, which threw Failure. The next get tries again.
        """)
  }

  @Test("closes its instance with the injector, also one that is handed in")
  func closing() throws {
    let injector = Injector()
    #expect(injector.closable().base == "mock")
    injector.closeNow()
    #expect(Injector.log.lines == ["closed mock"])
  }

  @Test("differs from another of the same name and type elsewhere in the file")
  func sameName() {
    let injector = Injector()
    #expect([Cart(injector: injector).title(), Desk(injector: injector).title()] == ["cart", "desk"])
  }

  @Test("differs from another one in its line")
  func sameLine() {
    let injector = Injector()
    #expect([injector.pair.0(), injector.pair.1()] == ["left", "right"])
  }

  @Test("that an object of its scope keeps lives with the object until the scope is closed")
  func keptByScope() throws {
    let (living, services) = (LivingCount(), Injector())
    func open() throws -> Injector? {
      let scope = services.makeScope()
      try scope.register { [api = scope.api] in
        (Tracked(living), api)
      }
      _ = try scope.get((Tracked, Provider<any API>).self)
      return scope
    }
    var scope = try open()
    #expect(living.current == 1)
    scope?.closeNow()
    scope = nil
    #expect(living.current == 0)
  }

  @Test("or a feature that has been reset is no missing dependency")
  func validation() throws {
    let injector = Injector()
    try injector.register(as: (any Networking).self) {
      HTTPNetworking(name: $0.api().base + "\($0[WallClock.self].now())")
    }
    #expect(try injector.get((any Networking).self).name == "light0")
    #expect(try injector.validate().problems == [])
    try injector.api.reset()
    injector.reset(WallClock.self)
    #expect(try injector.validate().problems == [])
  }

  @Test("that cannot return its service ends the program with the whole diagnosis")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { useBroken() }
    let expected = """
      \(#fileID):\(useBrokenLine): Fatal error: Injector("services").broken() failed.
      \\.broken could not be made: the disk is full
        service:        \\.broken
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }
}

private let useBrokenLine = #line + 3

private func useBroken() {
  _ = Injector("services").broken()
}
