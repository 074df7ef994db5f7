import TestSupport
import Testing

@testable import Plug

/// Records the injector that its factory was handed, and counts its closings.
private final class Logbook: Sendable {
  let owner: UInt
  let closings = Counter()

  init(_ injector: Injector) {
    owner = injector.number
  }
}

@Suite("The owner of an instance", .serialized)
struct OwnerTests {
  @Test("stays the same if a rule registers the service in the requesting scope")
  func rule() throws {
    let root = Injector()
    try root.contribute(
      Logbook.self, .lazySingleton { Logbook($0) }.onClose { $0.closings.increment() },
      when: Rule<Injector>("registers") { scope in
        try scope.register(injectable: .lazySingleton { Logbook($0) })
        return true
      })
    let scope = root.makeScope()
    let made = try scope.get(Logbook.self, in: scope)
    scope.closeNow()
    #expect(made.owner == root.number)
    #expect(made.closings.value == 0)
  }

  @Test(
    "is not the requested scope, if the scoped service becomes a singleton meanwhile",
    arguments: [Lifetime.singleton, .lazySingleton])
  func replaced(lifetime: Lifetime) throws {
    let root = Injector(allowRewrite: true)
    let given = Logbook(root)
    let closing: @Sendable (Logbook) -> Void = { $0.closings.increment() }
    let next: Injection<Logbook> =
      lifetime == .singleton
      ? .singleton(given).onClose(closing) : .lazySingleton { Logbook($0) }.onClose(closing)
    try root.contribute(
      Logbook.self, .scoped { Logbook($0) }.onClose(closing),
      when: Rule<Injector>("replaces") { [unowned root] _ in
        try root.contribute(Logbook.self, next, when: Rule<Injector>("always") { _ in true }, id: "plan")
        return true
      }, id: "plan")
    let scope = root.makeScope()
    let made = try scope.get(Logbook.self, in: scope)
    scope.closeNow()
    #expect(made.owner == root.number)
    #expect(made.closings.value == 0)
    #expect(try root.get(Logbook.self, in: root) === made)
    root.closeNow()
    #expect(made.closings.value == 1)
  }
}
