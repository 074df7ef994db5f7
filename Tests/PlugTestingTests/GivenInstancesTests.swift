import Plug
import PlugTesting
import Synchronization
import Testing

private final class Router: Sendable {
  let routes = Mutex<[String]>([])

  func add(_ route: String) { routes.withLock { $0.append(route) } }
}

private struct Palette: Sendable {
  let router: Router
}

private protocol Routing: Sendable {}

extension Router: Routing {}

@Suite("Isolation of configured instances that are handed in")
struct GivenInstancesTests {
  let services = Injector("given")
  private let router = Router()

  private func error(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func text(_ service: String, _ line: Int, asked: Int) -> String {
    """
    \(service) cannot be configured in an isolated test: the program and all tests share one object.
      service:        \(service)
      injector:       given
      chain:          \(service)
      asked at:       PlugTestingTests/GivenInstancesTests.swift:\(asked)
      registered at:  PlugTestingTests/GivenInstancesTests.swift:\(line)
    To fix this:
      - Override it in the test: try injector.override(\(service).self, .singleton(…)).
      - Or let each test make one: .lazySingleton { … }.configure { … }, not .singleton(…).configure { … }.
    """
  }

  @Test("A shared object is refused in an isolated test, and is not configured there")
  func object() throws {
    try services.register(injectable: .singleton(router).configure { router, _ in router.add("home") })
    let line = #line - 1
    let (refusal, asked) = (withIsolatedInjectors { error { _ = try services.get(Router.self) } }, #line)
    #expect(refusal == text("Router", line, asked: asked))
    #expect(router.routes.withLock { $0 } == [])
    _ = try services.get(Router.self)
    let (second, again) = (withIsolatedInjectors { error { _ = try services.get(Router.self) } }, #line)
    #expect(second == text("Router", line, asked: again))
    #expect(router.routes.withLock { $0 } == ["home"])
  }

  @Test("A shared object is also refused behind a protocol, as a candidate and in a nested isolation")
  func candidates() throws {
    let point = PluginPoint<any Routing, Shopper>("routing") {
      Candidate("router", .singleton(router as any Routing).configure { _, _ in Issue.record("It is configured.") })
    }
    try services.register(point)
    withIsolatedInjectors {
      #expect(error { _ = try services.get((any Routing).self, in: Shopper()) } != nil)
      #expect(error { _ = try point.get(in: Shopper()) } != nil)
    }
    withIsolatedInjectors {
      do {
        try services.register(injectable: .singleton(router).configure { router, _ in router.add("of the test") })
        _ = try services.get(Router.self)
      } catch {
        Issue.record(error)
      }
      #expect(withIsolatedInjectors { error { _ = try services.get(Router.self) } } != nil)
    }
    #expect(router.routes.withLock { $0 } == ["of the test"])
  }

  @Test("A value is configured in each isolation, and so is an object that overrides the shared one")
  func values() throws {
    try services.register(
      injectable: .singleton(Palette(router: router)).configure { palette, _ in palette.router.add("palette") })
    try services.register(injectable: .singleton(router).configure { router, _ in router.add("home") })
    try withIsolatedInjectors {
      _ = try services.get(Palette.self)
      try services.override(
        as: Router.self, injectable: .singleton(Router()).configure { $0.add("\($1 === services)") })
      #expect(try services.get(Router.self).routes.withLock { $0 } == ["false"])
    }
    #expect(router.routes.withLock { $0 } == ["palette"])
  }
}
