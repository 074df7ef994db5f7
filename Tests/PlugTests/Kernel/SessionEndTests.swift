import PlugOperations
import Synchronization
import TestSupport
import Testing

@testable import Plug

/// An instance that must be configured before its first use.
private final class Account: Sendable {
  private let configured = Atomic(false)

  var isConfigured: Bool { configured.load(ordering: .sequentiallyConsistent) }
  func configure() { configured.store(true, ordering: .sequentiallyConsistent) }
}

/// Runs a closure when it is released.
private final class Ending: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }
}

private final class User: Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
  }
}

extension Injector {
  fileprivate func registerAccount() throws {
    try register(injectable: .lazySingleton { Account() }.configure { account, _ in account.configure() })
  }

  /// Whether the accounts that two other threads get are configured; `nil` for a thread that gets none.
  fileprivate func isConfiguredElsewhere() -> [Bool?] {
    let isConfigured: @Sendable () -> Bool? = { (try? self.get(Account.self))?.isConfigured }
    return inParallel(isConfigured, isConfigured)
  }
}

@Suite("The end of an outermost request", .serialized)
struct SessionEndTests {
  let injector = Injector()
  let log = Log()

  /// Gets an account, and records whether it is configured.
  private func noting() -> @Sendable () -> Void {
    { [injector, log] in log.add("configured: \((try? injector.get(Account.self))?.isConfigured ?? false)") }
  }

  /// Gets an instance for which only a factory has asked, and expects its deinit to find configured instances.
  private func expectEndAfterConfiguration() throws {
    try injector.register(
      as: Int.self,
      injectable: .factory { injector in
        _ = try injector.get(Ending.self)
        return 1
      })
    #expect(try injector.get(Int.self) == 1)
    #expect(log.lines == ["configured: true"])
    #expect(injector.isConfiguredElsewhere() == [true, true])
  }

  @Test("releases the shared instances of the request, whose deinit gets configured instances")
  func graph() throws {
    try injector.registerAccount()
    try injector.register(injectable: .graph { Ending(noting()) })
    try expectEndAfterConfiguration()
  }

  @Test("releases an instance that nothing keeps after its configuration")
  func unkept() throws {
    try injector.registerAccount()
    let note = noting()
    try injector.register(injectable: .factory { Ending(note) }.configure { _, _ in })
    try expectEndAfterConfiguration()
  }

  @Test("closes the instance of a failed configuration")
  func failedConfiguration() throws {
    try injector.registerAccount()
    let note = noting()
    try injector.register(
      injectable: .lazySingleton { User("ada") }.configure { _, _ in throw Failure() }.onClose { _ in note() })
    #expect(throws: InjectorError.self) { _ = try injector.get(User.self) }
    #expect(log.lines == ["configured: true"])
    #expect(injector.isConfiguredElsewhere() == [true, true])
  }

  @Test("closes the instance of a failed decorator, also if the error is caught")
  func failedDecorator() throws {
    try injector.registerAccount()
    let note = noting()
    try injector.register(injectable: .lazySingleton { User("ada") }.onClose { _ in note() })
    try injector.decorate(User.self) { _, _ in throw Failure() }
    try injector.register(
      as: Int.self,
      injectable: .factory { injector in
        _ = try injector.get(Account.self)
        return (try? injector.get(User.self)) == nil ? 0 : 1
      })
    #expect(try injector.get(Int.self) == 0)
    #expect(log.lines == ["configured: true"])
  }

  @Test("closes an instance made for a scope that is closed meanwhile")
  func closedScope() throws {
    try injector.registerAccount()
    let note = noting()
    try injector.register(
      injectable: .scoped { injector in
        injector.closeNow()
        return User("ada")
      }.onClose { _ in note() })
    #expect(throws: InjectorError.self) { _ = try injector.makeScope().get(User.self) }
    #expect(log.lines == ["configured: true"])
    #expect(injector.isConfiguredElsewhere() == [true, true])
  }

  @Test("ignores the instances of a scope that a factory has opened and closed, although configurations are pending")
  func closedScopeOfFactory() throws {
    let log = log
    try injector.register(injectable: .scoped { User("ada") }.onClose { log.add("closed \($0.name)") })
    try injector.register(
      injectable: Injection<String>.lazySingleton { "text" }.configure { _, _ in log.add("configured") })
    try injector.register(
      as: Int.self,
      injectable: .factory { injector in
        _ = try injector.get(String.self)
        let scope = injector.makeScope()
        defer { scope.closeNow() }
        return try scope.get(User.self).name.count
      })
    #expect(try injector.get(Int.self) == 3)
    #expect(log.lines == ["configured", "closed ada"])
  }

  @Test("lets a deinit that gets its own service end with an error, without a stack overflow")
  func endlessEnding() throws {
    let (injector, log) = (injector, log)
    try injector.register(
      injectable: .graph {
        Ending {
          do throws(InjectorError) {
            _ = try injector.get(Ending.self)
          } catch {
            if case .depthExceeded = error { log.add("too deep") }
          }
        }
      })
    _ = try injector.get(Ending.self)
    #expect(log.lines == ["too deep"])
  }

  @Test("keeps graph instances apart by their injectors, also after one of these has ended")
  func scopesOfARequest() throws {
    for isScope in [true, false] { try checkOwners(areScopes: isScope) }
  }

  private func checkOwners(areScopes: Bool) throws {
    let injector = Injector()
    try injector.register(as: String.self, injectable: .providedByScope)
    try injector.register(injectable: .graph { User(try $0.get()) })
    try injector.register(
      as: [String].self,
      injectable: .factory { injector in
        try (0..<50).map { number in
          let owner = areScopes ? injector.makeScope() : Injector()
          try owner.register(injectable: .singleton("\(number)"))
          if !areScopes { try owner.register(injectable: .graph { User(try $0.get()) }) }
          defer { owner.closeNow() }
          return try owner.get(User.self).name
        }
      })
    #expect(try injector.get([String].self) == (0..<50).map { "\($0)" })
  }
}
