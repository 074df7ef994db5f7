import TestSupport
import Testing

@testable import Plug

private final class Repository: Sendable {
  let user: User

  init(user: User) {
    self.user = user
  }
}

private struct User: Sendable {}
private struct Mailer: Sendable {
  let user: User
}

/// The scopes that factories have opened.
private final class Opened: Sendable {
  private let scopes = Locked<[Injector]>([])

  var last: Injector? { scopes.withLock { $0.last } }
  func add(_ scope: Injector) { scopes.withLock { $0.append(scope) } }
}

@Suite("A service that outlives a scope")
struct CaptiveDependencyTests {
  private func makeInjector() throws -> Injector {
    let injector = Injector("services")
    try injector.register(injectable: .scoped { User() }, fileID: "Shop/Users.swift", line: 3)
    try injector.register(injectable: .factory(wiring: Mailer.init))
    return injector
  }

  @Test("must not keep a scoped instance, and the error shows the chain")
  func chain() throws {
    let injector = try makeInjector()
    try injector.register { Repository(user: try $0.get(Mailer.self).user) }
    let error = #expect(throws: InjectorError.self) { try injector.makeScope("request").get(Repository.self) }
    #expect(
      error?.description == """
        User would be captured by a longer-lived service: Repository (lazySingleton) → Mailer (factory) → User (scoped).
          service:        User
          injector:       services
          chain:          Repository → Mailer → User
          asked at:       \(place(error))
          registered at:  Shop/Users.swift:3
        To fix this:
          - Make the longer-lived service scoped too.
          - Or pass it a scope, from which it gets the service when it needs it.
        """)
  }

  @Test("must not depend on a scope's candidates, even if none applies", arguments: [false, true])
  func candidates(isAll: Bool) throws {
    let root = Injector("services")
    let scope = root.makeScope("request")
    try scope.contribute(User.self, .factory { User() }, when: Rule<Int>("never") { _ in false }, id: "x")
    try root.register { [scope] in
      [isAll ? try scope.getAll(User.self, in: 1).count : try scope.get(User?.self, in: 1) == nil ? 0 : 1]
    }
    let error = #expect(throws: InjectorError.self) { try scope.get([Int].self) }
    guard case .captiveDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Array<Int> (lazySingleton)", "User"])
  }

  @Test("is where the path begins, also if it is requested inside of an instance of a scope")
  func beginning() throws {
    let injector = try makeInjector()
    try injector.register { Repository(user: try $0.get()) }
    let scope = injector.makeScope("request")
    try scope.register(injectable: .lazySingleton { [injector] in try injector.get(Repository.self).user as User? })
    let error = #expect(throws: InjectorError.self) { try scope.get(User?.self) }
    #expect(
      error?.description == """
        User would be captured by a longer-lived service: Repository (lazySingleton) → User (scoped).
          service:        User
          injector:       services
          chain:          Optional<User> → Repository → User
          asked at:       \(place(error))
          registered at:  Shop/Users.swift:3
        To fix this:
          - Make the longer-lived service scoped too.
          - Or pass it a scope, from which it gets the service when it needs it.
        """)
    // What an instance of the scope requests outside of scopes is missing there, and not captured.
    try scope.register(injectable: .lazySingleton { [injector] in [try injector.get(User.self)] })
    let missing = #expect(throws: InjectorError.self) { try scope.get([User].self) }
    guard case .scopeRequired = try #require(missing) else { throw try #require(missing) }
  }

  @Test(
    "must not get it from a captured scope either, whether or not the scope has made it", arguments: [false, true])
  func captured(isMade: Bool) throws {
    let injector = try makeInjector()
    let scope = try injector.makeScope("request") { try $0.register(injectable: .singleton("of the scope")) }
    if isMade { _ = try scope.get(User.self) }
    try injector.register { [weak scope] in Repository(user: try scope?.get(User.self) ?? User()) }
    try injector.register(as: [String].self) { [weak scope] in [try scope?.get(String.self) ?? ""] }
    for outcome in [scope.outcome(Repository.self).map { _ in }, injector.outcome([String].self).map { _ in }] {
      #expect(outcome.isCaptive)
    }
  }

  @Test("must not get a scoped instance from a scope that another factory of the request has opened")
  func openedBefore() throws {
    let injector = try makeInjector()
    let opened = Opened()
    try injector.register(
      as: Int.self,
      injectable: .factory { injector in
        opened.add(injector.makeScope())
        return 1
      })
    try injector.register { _ in Repository(user: try opened.last?.get(User.self) ?? User()) }
    try injector.register(
      as: [Int].self,
      injectable: .factory { injector in
        let numbers = [try injector.get(Int.self)]
        _ = try injector.get(Repository.self)
        return numbers
      })
    #expect(injector.outcome([Int].self).map { _ in }.isCaptive)
  }

  @Test("must not get a scoped instance from a scope of a thread that has ended")
  func openedByAnotherThread() throws {
    for _ in 0..<50 {
      let injector = try makeInjector()
      let opened = Opened()
      onThread { opened.add(injector.makeScope()) }
      try injector.register { _ in Repository(user: try opened.last?.get(User.self) ?? User()) }
      let outcome = onThread { injector.outcome(Repository.self).map { _ in } }
      #expect(outcome.isCaptive)
    }
  }

  @Test("may get a scoped instance from a scope that it has opened, also in its configuration")
  func openedByItself() throws {
    let injector = try makeInjector()
    let opened = Opened()
    try injector.register(
      injectable: .lazySingleton { injector in
        opened.add(injector.makeScope())
        return Repository(user: try opened.last?.get(User.self) ?? User())
      }.configure { _, _ in _ = try opened.last?.get(User.self) })
    _ = try injector.get(Repository.self)
  }

  @Test("must not get a scoped instance in its configuration")
  func configured() throws {
    let injector = try makeInjector()
    try injector.register(
      as: Instance.self,
      injectable: .lazySingleton { Instance() }.configure { _, injector in _ = try injector.get(User.self) })
    #expect(injector.outcome(Instance.self).map { _ in }.isCaptive)
  }

  @Test("may open a scope and use an instance of it")
  func ownScope() throws {
    let injector = try makeInjector()
    try injector.register(as: Instance.self) { injector in
      let scope = injector.makeScope("warm up")
      defer { scope.closeNow() }
      _ = try scope.get(User.self)
      return Instance("warm")
    }
    #expect(try injector.get(Instance.self).name == "warm")
  }

  @Test("in an outer scope must not keep an instance of an inner scope")
  func nested() throws {
    let injector = Injector()
    let outer = injector.makeScope("outer")
    let inner = try outer.makeScope("inner") { try $0.register(injectable: .singleton("inner")) }
    try outer.register(as: [String].self) { [try inner.get(String.self)] }
    try outer.register(as: Set<String>.self, injectable: .factory { [try inner.get(String.self)] })
    #expect(outer.outcome([String].self).map { _ in }.isCaptive)
    #expect(try outer.get(Set<String>.self) == ["inner"])
  }

  @Test("is not part of the error of a scoped service that is requested without a scope")
  func withoutScope() throws {
    let injector = try makeInjector()
    let error = #expect(throws: InjectorError.self) { try injector.get(User.self) }
    #expect(
      error?.description == """
        get(User.self) failed: User has one instance per scope, and this injector is not one.
          service:        User
          injector:       services
          chain:          User
          asked at:       \(place(error))
          registered at:  Shop/Users.swift:3
        To fix this:
          - Get it from a scope: try Injector["services"].makeScope("…").get(User.self).
        """)
  }

  @Test("is not part of the errors of a scope without its registration, or of a closed scope")
  func absent() throws {
    let injector = Injector("services")
    try injector.register(as: User.self, injectable: .providedByScope, fileID: "Shop/Users.swift", line: 8)
    let scope = injector.makeScope("request")
    let absent = #expect(throws: InjectorError.self) { try scope.get(User.self) }
    #expect(
      absent?.description == """
        get(User.self) failed: each scope registers its own User, and this one has not.
          service:        User
          injector:       services/request
          chain:          User
          asked at:       \(place(absent))
          declared at:    Shop/Users.swift:8
        To fix this:
          - Register it when you open the scope: \
        try makeScope { try $0.register(User.self, .singleton(…)) }.
        """)
    let inner = scope.makeScope("inner")
    scope.closeNow()
    for (injector, reason) in [
      (scope, "the injector is closed"), (inner, "its parent, services/request, is closed"),
    ] {
      let closed = #expect(throws: InjectorError.self) { try injector.get(User.self) }
      #expect(
        closed?.description == """
          User cannot be resolved or registered: \(reason).
            service:        User
            injector:       \(injector === scope ? "services/request" : "services/request/inner")
            chain:          User
            asked at:       \(place(closed))
          To fix this:
            - Get the services that you need before you close the injector, and keep no object that asks it later.
            - Or open another scope: makeScope("…").
          """)
    }
    injector.closeNow()
    let root = #expect(throws: InjectorError.self) { try injector.makeScope().get(User.self) }
    #expect(
      root?.description == """
        User cannot be resolved or registered: its parent, services, is closed.
          service:        User
          injector:       services/scope
          chain:          User
          asked at:       \(place(root))
        To fix this:
          - Get the services that you need before you close the injector, and keep no object that asks it later.
          - Or create another injector: this one stays closed.
        """)
    #expect(throws: InjectorError.self) { try scope.register(injectable: .singleton(1)) }
    #expect(throws: InjectorError.self) { try scope.getAll(User.self) }
    #expect(throws: InjectorError.self) { try scope.get(User.self, in: 1) }
  }

  @Test("cannot have onClose if no injector keeps it")
  func closing() throws {
    let injector = Injector("services")
    let error = #expect(throws: InjectorError.self) {
      try injector.register(as: Instance.self, injectable: .factory { Instance() }.onClose { _ in })
    }
    #expect(
      error?.description == """
        register(Instance.self) was refused: onClose and eager() have no effect, as no injector keeps factory instances.
          service:        Instance
          injector:       services
          chain:          Instance
        To fix this:
          - Use scoped or lazySingleton with them, or remove them, and close the instance where you use it.
        """)
    #expect(throws: InjectorError.self) {
      try injector.register(
        PluginPoint<Instance, Int>("point") {
          Candidate("graph", .graph { Instance() }.onClose { _ in })
        })
    }
  }
}

extension Result where Failure == InjectorError {
  fileprivate var isCaptive: Bool {
    if case .failure(.captiveDependency) = self { true } else { false }
  }
}
