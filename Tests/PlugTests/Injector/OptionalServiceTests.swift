import PlugOperations
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private struct Season: Sendable {}
private struct Faulty: Sendable {}

private struct Badge: Sendable {
  let search: (any Networking)?
}

private struct Shelf: Sendable {
  let searches: [any Networking]?
}

private final class Screen: Sendable {}

private final class Coordinator: Sendable {
  let shown = Locked<Screen?>(nil)
}

private struct Board {
  @Injected var search: (any Networking)?

  init(_ injector: Injector) {
    _search = Injected(injector: injector)
  }
}

@Suite("An optional service")
struct OptionalServiceTests {
  let injector = Injector("shop", allowRewrite: true)

  private func names(in context: Int? = nil) async throws -> [String?] {
    let got: (any Networking)? = try injector.get()
    let loaded: (any Networking)? = try await injector.load()
    return [
      got?.name, loaded?.name, injector[(any Networking).self]?.name, Board(injector).search?.name,
      try injector.get(Badge.self).search?.name,
    ]
  }

  @Test("is nil while the service is not registered, in every form of request, and the service from then on")
  func everywhere() async throws {
    try injector.register(injectable: .factory(wiring: Badge.init))
    try injector.validate()
    #expect(injector.graph().description == "Badge (factory)")
    #expect(try await names() == [nil, nil, nil, nil, nil])
    try injector.register(as: (any Networking).self, injectable: .factory { Instance("it") })
    #expect(try await names() == ["it", "it", "it", "it", "it"])
    #expect(
      injector.graph().description == """
        Badge (factory)
          Networking (factory)
        """)
    try injector.seal()
    #expect(try await names() == ["it", "it", "it", "it", "it"])
  }

  @Test("is nil if no candidate applies, which is valid")
  func noCandidate() async throws {
    try injector.register(injectable: .factory(wiring: Badge.init))
    try injector.register(PluginPoint<any Networking, Injector>("search") {})
    #expect(try await names() == [nil, nil, nil, nil, nil])
    try injector.seal()
  }

  @Test("is chosen by a context")
  func context() async throws {
    try injector.contribute(
      (any Networking).self, .factory { Instance("positive") },
      when: Rule<Int>("is positive") { $0 > 0 })
    let chosen: (any Networking)? = try injector.get(in: 1)
    let none: (any Networking)? = try injector.get(in: 0)
    let loaded: (any Networking)? = try await injector.load(in: 1)
    let absent: Screen? = try injector.get(in: 1)
    #expect(chosen?.name == "positive" && none == nil && loaded?.name == "positive" && absent == nil)
    let error = #expect(throws: InjectorError.self) { try injector.get((any Networking)?.self) }
    guard case .contextMissing = try #require(error) else { throw try #require(error) }
  }

  @Test("is made from arguments")
  func arguments() throws {
    injector.recordDependencies()
    let absent: String? = try injector.get(with: 1)
    try injector.register(String.self, taking: Int.self) { number, _ in "\(number)" }
    let present: String? = try injector.get(with: 1)
    let other: String? = try injector.get(with: true)
    #expect(absent == nil && present == "1" && other == nil)
    try injector.register(as: Bool.self) { injector in try injector.get(String?.self, with: 2) == "2" }
    #expect(try injector.get(Bool.self))
    #expect(
      injector.graph().description == """
        Bool (lazySingleton, constructed)
          String(Int) (factory)
        """)
    try injector.unregister(String.self, taking: Int.self)
    #expect(try injector.validate().problems.isEmpty)
  }

  @Test("that scopes register is nil where none has, and is refused to an instance that outlives scopes")
  func providedByScope() async throws {
    try injector.register(as: Instance.self, injectable: .providedByScope)
    let count: @Sendable (Instance?) -> Int = { $0 == nil ? 0 : 1 }
    try injector.register(injectable: .scoped(wiring: count))
    try injector.seal(strict: true)
    func names(in injector: Injector) async throws -> [String?] {
      let (injected, current) = (Injected<Instance?>(injector: injector), Injected<Instance?>(.current))
      func read() throws -> String? { try current.get()?.name }
      func readInside() throws -> String? { try injector.run(read) }
      let loaded = try await injector.load(Instance?.self)
      return [
        injector[Instance.self]?.name, try injector.get(Instance?.self)?.name, loaded?.name, try injected.get()?.name,
        try readInside(), try injector.getAll(Instance.self).first?.name, try injector.get([Instance].self).first?.name,
        try injector.get([String: Instance].self)["default"]?.name,
      ]
    }
    #expect(try await names(in: injector) == Array(repeating: nil, count: 8))
    let (empty, scope) = (injector.makeScope(), injector.makeScope())
    #expect(try await names(in: empty) == Array(repeating: nil, count: 8))
    #expect(try empty.get(Int.self) == 0)
    try scope.register(injectable: .singleton(Instance("of the scope")))
    #expect(try await names(in: scope) == Array(repeating: "of the scope", count: 8))
    #expect(try scope.get(Int.self) == 1)
    #expect(try Injected<Instance?>(.current).get() == nil)
    let error = #expect(throws: InjectorError.self) { try Injected<Instance>(.current).get() }
    guard case .currentMissing = try #require(error) else { throw try #require(error) }
  }

  @Test("that scopes register is a captive dependency of a singleton, at run time and in a validation")
  func providedByScopeToSingleton() throws {
    try injector.register(as: Instance.self, injectable: .providedByScope)
    let count: @Sendable (Instance?) -> Int = { $0 == nil ? 0 : 1 }
    try injector.register(injectable: .lazySingleton(wiring: count))
    for injector in [injector, injector.makeScope()] {
      let error = #expect(throws: InjectorError.self) { try injector.get(Int.self) }
      guard case .captiveDependency(_, let path) = try #require(error) else { throw try #require(error) }
      #expect(path == ["Int (lazySingleton)", "Instance (scoped)"])
    }
    #expect(throws: InjectorError.self) { try injector.validate() }
  }

  @Test("is found by its tag, and among inherited registrations")
  func tag() throws {
    try injector.register(as: (any Networking).self, tag: "replica") { Instance("replica") }
    let scope = injector.makeScope()
    let tagged: (any Networking)? = try scope.get(tag: "replica")
    let plain: (any Networking)? = try scope.get()
    #expect(tagged?.name == "replica" && plain == nil)
  }

  @Test("is assigned to an optional property in a configuration")
  func configured() throws {
    try injector.register(
      as: Coordinator.self,
      injectable: .lazySingleton { Coordinator() }.configure { coordinator, injector in
        let screen: Screen? = try injector.get()
        coordinator.shown.withLock { $0 = screen }
      })
    try injector.register { Screen() }
    #expect(try injector.get(Coordinator.self).shown.withLock { $0 } === injector.get(Screen.self))
  }

  @Test("prefers a registration of the optional type itself, also in a property")
  func precedence() async throws {
    try injector.register(as: (any Networking).self) { Instance("plain") }
    try injector.register(as: (any Networking)?.self, injectable: .singleton(Instance("optional")))
    let got: (any Networking)? = try injector.get()
    #expect(got?.name == "optional" && Board(injector).search?.name == "optional")
    try injector.register(as: (any Networking)?.self, injectable: .singleton(nil))
    let none: (any Networking)? = try injector.get()
    #expect(none == nil && Board(injector).search == nil)
  }

  @Test("is an error, not nil, if the service is registered and cannot be made")
  func failure() async throws {
    try injector.register(as: Faulty.self) { throw Failure() }
    let error = #expect(throws: InjectorError.self) { try injector.get(Faulty?.self) }
    guard case .constructionFailed = try #require(error) else { throw try #require(error) }
    await #expect(throws: InjectorError.self) { try await injector.load(Faulty?.self) }
  }

  @Test("can be requested by features, providers and rules")
  func keys() throws {
    let provider = injector.provide(.factory { injector in try Badge(search: injector.get()) }) as Provider<Badge>
    #expect(provider().search == nil && injector[Skin.self] == nil)
    try injector.register(as: (any Networking).self) { Instance("it") }
    injector.reset(Skin.self)
    #expect(provider().search?.name == "it" && injector[Skin.self] == "it")
    #expect(try injector.validate().problems.isEmpty)
  }

  @Test("counts in a cycle, but a closure can do without it")
  func validation() throws {
    injector.recordDependencies()
    try injector.register { injector in Badge(search: try injector.get()) }
    #expect(try injector.get(Badge.self).search == nil)
    try injector.validate()
    try injector.register(as: (any Networking).self, injectable: .lazySingleton { Instance() }.depends(on: Badge.self))
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    guard case .invalid(_, let report) = try #require(error) else { throw try #require(error) }
    #expect(report.problems.map(\.details) == [["Badge", "Networking", "Badge"]])
  }

  @Test("that is a collection is nil while no element is registered")
  func collection() throws {
    let none: [any Networking]? = try injector.get()
    #expect(none == nil)
    try injector.register(as: (any Networking).self) { Instance("it") }
    let all: [any Networking]? = try injector.get()
    let byID: [String: any Networking]? = try injector.get()
    #expect(all?.map(\.name) == ["it"] && byID?.mapValues(\.name) == ["default": "it"])
  }

  @Test("that is a collection, or optional twice, is validated and audited")
  func nested() throws {
    injector.recordDependencies()
    try injector.register(as: (any Networking).self, injectable: .scoped { Instance() })
    try injector.register(injectable: .lazySingleton(wiring: Shelf.init))
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    guard case .invalid(_, let report) = try #require(error) else { throw try #require(error) }
    #expect(report.problems.map(\.details) == [["Shelf (lazySingleton)", "Networking (scoped)"]])
    try injector.unregister(Shelf.self)
    try injector.register(as: Double.self, injectable: .factory { 1 })
    let scope = injector.makeScope("request")
    _ = try (scope.get([any Networking]?.self), scope.get(Double??.self))
    #expect(injector.audit().findings == [])
  }
}

private enum Skin: Feature {
  static func load(in injector: Injector) throws -> String? {
    let search: (any Networking)? = try injector.get()
    return search?.name
  }
}
