import Plug
import TestSupport
import Testing

private struct Account: Sendable { let name: String }

extension Injector {
  fileprivate var fickle: Provider<Instance> {
    provide(
      .lazySingleton {
        try $0.fickle.reset()
        return Instance()
      }.onClose { _ in }, fileID: "Shop/API.swift", line: 3)
  }
  fileprivate var chicken: Provider<Instance> {
    provide(.singleton(self.egg(fileID: "Shop/API.swift", line: 4)), fileID: "Shop/API.swift", line: 4)
  }
  fileprivate var egg: Provider<Instance> {
    provide(.singleton(self.chicken(fileID: "Shop/API.swift", line: 5)), fileID: "Shop/API.swift", line: 5)
  }
  fileprivate var greeting: Provider<String> { provide(.singleton("Hello, \(self.name(of: Account.self))")) }
  fileprivate var twice: Provider<String> { provide(.singleton("\(self.once()), \(self.once())")) }
  fileprivate var once: Provider<String> { provide(.singleton("one")) }

  private func name(of type: Account.Type) -> String {
    do throws(InjectorError) { return try get(type, fileID: "Shop/API.swift", line: 6).name } catch {
      return error.headline
    }
  }
}

private func getChicken() { _ = Injector("services").chicken() }

@Suite("The declaration of a provider")
struct ProviderDeclarationTests {
  @Test("fails if its factory resets the provider each time")
  func fickle() throws {
    let services = Injector("services")
    let error = try #require(throws: InjectorError.self) { try services.fickle.get(fileID: "App/Main.swift", line: 7) }
    #expect(
      "\(error)" == #"""
        injector.fickle() failed: \.fickle was replaced or reset during each of 1000 attempts to make it.
          service:        \.fickle
          injector:       services
          chain:          \.fickle
          asked at:       App/Main.swift:7
          registered at:  Shop/API.swift:3
        To fix this:
          - Do not register, unregister or reset a service in its own factory.
          - Or do it less often where other threads request the service.
        """#)
  }

  @Test("may request other providers, but not those whose declarations request it")
  func circular() async throws {
    let services = Injector("services")
    #expect(services.makeScope("request").twice() == "one, one")
    try services.twice.reset()
    #expect(services.twice() == "one, one")
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { getChicken() }
    let expected = #"""
      Shop/API.swift:5: Fatal error: Injector("services").chicken() failed.
      \.chicken depends on itself: \.chicken → \.egg → \.chicken.
        service:        \.chicken
        injector:       services
        chain:          \.chicken → \.egg → \.chicken
        asked at:       Shop/API.swift:5
      To fix this:
        - Get one of them in a configure closure of the other, which must be a singleton or scoped.
        - Or move the shared dependencies into a third service.
      """#
    #expect(try message(of: result, lines: expected.lineCount) == expected)
  }

  @Test("requests nothing that a scope has, since all scopes share what it makes")
  func captive() throws {
    let services = Injector("services")
    for name in ["Ann", "Bob"] {
      let scope = services.makeScope("request")
      try scope.register { Account(name: name) }
      #expect(
        scope.greeting()
          == #"Hello, Account would be captured by a longer-lived service: \.greeting → Account (lazySingleton)."#)
    }
  }
}
