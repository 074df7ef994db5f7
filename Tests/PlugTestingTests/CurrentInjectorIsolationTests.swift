import Plug
import PlugTesting
import Testing

private struct User: Sendable, Equatable {
  let name: String
}

private struct Greeting {
  @Injected(.current) var user: User
}

@Suite("The current injector in isolated tests")
struct CurrentInjectorIsolationTests {
  let services = Injector()

  init() throws {
    try services.register(injectable: .scoped { User(name: "real") })
  }

  @Test("gives the test's overrides, also in a scope that was opened outside the test")
  func overridden() async throws {
    let outside = services.makeScope("outside")
    let greeting = Greeting()
    #expect(try await outside.run { try greeting.$user.get() } == User(name: "real"))
    try await withIsolatedInjectors {
      try services.override(as: User.self, injectable: .scoped { User(name: "fake") })
      #expect(try await outside.run { try greeting.$user.get() } == User(name: "fake"))
      let inside = await services.withScope { scope in
        #expect(Injector.current === scope)
        return greeting.user
      }
      #expect(inside == User(name: "fake"))
      #expect(Injector.current == nil)
    }
    #expect(await outside.run { greeting.user } == User(name: "real"))
  }
}
