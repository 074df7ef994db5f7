import Synchronization
import TestSupport
import Testing

@testable import Plug

private final class Named: Sendable {
  let name: String

  init(_ name: String) { self.name = name }
}

extension Injector {
  fileprivate func wrap(_ name: String) throws(InjectorError) {
    try decorate(Named.self, id: name) { inner, _ in Named("\(name)(\(inner.name))") }
  }

  fileprivate var named: Provider<Named> { provide(.lazySingleton { Named("declared") }) }
}

@Suite("A scope that decorates what it inherits")
struct ScopeDecorationTests {
  let root = Injector("app")

  @Test(
    "keeps one instance for itself and its scopes where a parent keeps one, and otherwise as many as the parent makes",
    arguments: [
      (.singleton(Named("own")), 1, 1), (.lazySingleton { Named("own") }, 1, 1), (.scoped { Named("own") }, 2, 2),
      (.scoped(in: "session") { Named("own") }, 1, 1), (.scoped(in: "request") { Named("own") }, 1, 1),
      (.scoped(in: "page") { Named("own") }, 0, 2), (.graph { Named("own") }, 4, 4), (.factory { Named("own") }, 4, 4),
    ] as [(Injection<Named>, Int, Int)])
  fileprivate func lifetimes(injection: Injection<Named>, inScope: Int, wrapped: Int) throws {
    let count = Atomic(0)
    try root.register(injectable: injection)
    let scope = root.makeScope("session").makeScope("request")
    try scope.decorate(Named.self) { inner, _ in
      count.add(1, ordering: .relaxed)
      return Named("wrapped \(inner.name)")
    }
    let pages = [scope.makeScope("page"), scope.makeScope("page")]
    var instances = try pages.map { try $0.get(Named.self) } + pages.map { try $0.get(Named.self) }
    #expect(Set(instances.map(\.name)) == ["wrapped own"])
    #expect(Set(instances.map(ObjectIdentifier.init)).count == wrapped)
    #expect(count.load(ordering: .relaxed) == wrapped)
    if inScope == 1 {
      instances.append(try scope.get(Named.self))
      #expect(Set(instances.map(ObjectIdentifier.init)).count == 1)
    }
  }

  @Test("registers the service, so that a second registration is refused, or replaces it and is decorated")
  func registered() throws {
    for allowsRewrite in [false, true] {
      let root = Injector("app", allowRewrite: allowsRewrite)
      try root.register(injectable: .lazySingleton { Named("inherited") })
      let scope = root.makeScope()
      try scope.wrap("1")
      #expect(try scope.get(Named.self).name == "1(inherited)")
      if allowsRewrite {
        try scope.register { Named("own") }
        #expect(try scope.get(Named.self).name == "1(own)")
        try scope.unregister(Named.self)
        #expect(try scope.get(Named.self).name == "inherited")
        try scope.wrap("2")
        #expect(try scope.get(Named.self).name == "2(1(inherited))")
      } else {
        let error = #expect(throws: InjectorError.self) { try scope.register { Named("own") } }
        guard case .alreadyRegistered = try #require(error) else { throw try #require(error) }
        #expect(try scope.get(Named.self).name == "1(inherited)")
      }
    }
  }

  @Test("wraps the inherited instance, which its parent makes, configures and closes")
  func inherited() async throws {
    let log = Log()
    try root.register(
      injectable: .lazySingleton { Named("own") }.configure { named, _ in log.add("configure \(named.name)") }
        .onClose { log.add("close \($0.name)") })
    let scope = root.makeScope()
    try scope.wrap("scope")
    #expect(try scope.get(Named.self).name == "scope(own)")
    #expect(try scope.get(Named.self) === scope.makeScope().get(Named.self))
    #expect(try root.get(Named.self).name == "own")
    await scope.close()
    #expect(log.lines == ["configure own"])
    await root.close()
    #expect(log.lines == ["configure own", "close own"])
  }

  @Test("wraps the one instance that an outer scope keeps, in each of its scopes", arguments: [false, true])
  func outer(isScoped: Bool) async throws {
    let (log, made) = (Log(), Counter())
    let make: @Sendable () -> Named = {
      made.increment()
      return Named("own")
    }
    let injection: Injection<Named> = isScoped ? .scoped(in: "session", make) : .lazySingleton(make)
    try root.register(injection.onClose { log.add("close \($0.name)") })
    let session = root.makeScope("session")
    let own = try session.get(Named.self)
    for _ in 0..<3 {
      let request = session.makeScope("request")
      try request.decorate(Named.self) { inner, _ in Named(inner === own ? "wraps own" : "wraps another") }
      #expect(try request.get(Named.self).name == "wraps own")
      await request.close()
    }
    #expect(try session.get(Named.self) === own)
    #expect(made.value == 1)
    #expect(log.lines == [])
    await session.close()
    await root.close()
    #expect(log.lines == ["close own"])
  }

  @Test("looks for the inherited registration each time it makes an instance")
  func lookedUp() throws {
    let root = Injector("app", allowRewrite: true)
    try root.register(injectable: .factory { Named("first") })
    let scope = root.makeScope()
    try scope.wrap("scope")
    #expect(try scope.get(Named.self).name == "scope(first)")
    try root.register(injectable: .factory { Named("second") })
    #expect(try scope.get(Named.self).name == "scope(second)")
    try root.unregister(Named.self)
    let error = #expect(throws: InjectorError.self) { try scope.get(Named.self) }
    guard case .notRegistered(let facts) = try #require(error) else { throw try #require(error) }
    #expect(facts.injector == "app" && facts.chain == ["Named"])
  }

  @Test("of a sealed injector wraps the instance that the injector has made")
  func sealed() throws {
    try root.register(injectable: .lazySingleton { Named("own") })
    let own = try root.get(Named.self)
    try root.seal()
    let scope = root.makeScope("scope")
    #expect(try scope.get(Named.self) === own)
    try scope.wrap("scope")
    #expect(try scope.get(Named.self).name == "scope(own)")
    #expect(try root.makeScope().get(Named.self) === own)
  }

  @Test("is reset and closed with its instances, and keeps its decorators")
  func reset() throws {
    try root.register(injectable: .scoped { Named("own") })
    let scope = root.makeScope()
    try scope.wrap("scope")
    let first = try scope.get(Named.self)
    scope.reset()
    let second = try scope.get(Named.self)
    #expect(first !== second && second.name == "scope(own)")
  }

  @Test(
    "keeps nothing of earlier instances however often it is reset",
    arguments: [Lifetime.lazySingleton, .scoped, .weakSingleton, .factory])
  func resetOften(lifetime: Lifetime) throws {
    let living = LivingCount()
    let make: @Sendable () -> Tracked = { Tracked(living) }
    switch lifetime {
    case .lazySingleton: try root.register(.lazySingleton(make))
    case .scoped: try root.register(.scoped(make))
    case .weakSingleton: try root.register(.weakSingleton(make))
    default: try root.register(.factory(make))
    }
    let scope = root.makeScope()
    try scope.decorate(Tracked.self) { inner, _ in
      withExtendedLifetime(inner) { Tracked(living) }
    }
    _ = try scope.get(Tracked.self)
    let before = living.current
    for _ in 0..<20 {
      scope.reset()
      _ = try scope.get(Tracked.self)
    }
    #expect(living.current == before)
    scope.closeNow()
    root.closeNow()
    #expect(living.current == 0)
  }

  @Test("loads the inherited instance, also when it starts")
  func loaded() async throws {
    try root.register(injectable: .lazySingleton { () async in Named("own") })
    for isStarted in [false, true] {
      let scope = root.makeScope()
      try scope.wrap("scope")
      if isStarted { try await scope.start() } else { _ = try await scope.load(Named.self) }
      #expect(try scope.get(Named.self).name == "scope(own)")
    }
    #expect(try root.get(Named.self).name == "own")
  }

  @Test("keeps a wrapped provider when its parent overrides and resets the provider")
  func provider() throws {
    let scope = root.makeScope()
    try scope.named.decorate { inner, _ in Named("scope(\(inner.name))") }
    try root.named.override(.lazySingleton { Named("override") })
    try root.named.reset()
    #expect(scope.named().name == "scope(declared)")
    try scope.named.override(.factory { Named("own") })
    #expect(scope.named().name == "scope(own)")
    try scope.named.reset()
    #expect(scope.named().name == "scope(declared)")
  }

  @Test("on the main actor makes its instances there")
  @MainActor func mainActor() async throws {
    try root.register(injectable: .lazySingleton { Named("own") })
    let scope = root.makeScope()
    try scope.decorate(Named.self) { @MainActor inner, _ in Named("main \(inner.name)") }
    let error = await Task.detached { () -> InjectorError? in
      do throws(InjectorError) {
        _ = try scope.get(Named.self)
        return nil
      } catch {
        return error
      }
    }.value
    guard case .mainActorRequired = try #require(error) else { throw try #require(error) }
    #expect(try scope.get(Named.self).name == "main own")
  }

  @Test("is not kept by a longer-lived instance")
  func captive() throws {
    try root.register(injectable: .lazySingleton { Named("own") })
    let scope = root.makeScope("scope")
    try scope.wrap("scope")
    try root.register(as: [String].self) { [try scope.get(Named.self).name] }
    let error = #expect(throws: InjectorError.self) { try root.get([String].self) }
    guard case .captiveDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Array<String> (lazySingleton)", "Named (lazySingleton)"])
  }

  @Test("is validated with the inherited instance, whose dependencies its parent gives")
  func validated() throws {
    struct Part: Sendable {}
    struct Whole: Sendable { let part: Part }
    try root.register(injectable: .lazySingleton(wiring: Whole.init))
    let scope = root.makeScope()
    try scope.register(injectable: .lazySingleton { Part() })
    try scope.decorate(Whole.self, id: "logging") { inner, _ in inner }
    let error = #expect(throws: InjectorError.self) { try scope.validate() }
    guard case .invalid(_, let report) = try #require(error) else { throw try #require(error) }
    #expect(report.problems.map(\.subject) == ["Part"])
    try root.register(injectable: .lazySingleton { Part() })
    #expect(try scope.validate().opaque == ["Whole"])
  }
}
