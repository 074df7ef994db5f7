import Plug
import Testing

// The code of plug.md in Swift 6 mode: with `let`, `Sendable`, and `any`.

private enum Environment {
  static let services = Injector()
  static let repositories = Injector()
}

private protocol PServiceA: Sendable {
  func foo()
}

private final class ServiceA: PServiceA {
  func foo() {}
}

private protocol PRepositoryB: Sendable {
  func foo() -> String
}

private final class RepositoryB: PRepositoryB {
  func foo() -> String { "foo" }
}

private struct Configurator {
  @Registered(inInjector: Environment.repositories)
  var repositoryBInjection = Injection<any PRepositoryB>.factory({ RepositoryB() })

  @Registered(inInjector: Environment.services)
  var serviceAInjection = Injection<any PServiceA>.singleton(ServiceA())

  static func configure(repositories: Injector, services: Injector) throws {
    _ =
      try? repositories
      .register(as: (any PRepositoryB).self, injectable: .singleton(RepositoryB()))
    _ =
      try? services
      .register(as: (any PServiceA).self, injectable: .factory({ ServiceA() }))
  }
}

private struct FooViewModel {
  @Injected(injector: Environment.services) var serviceA: any PServiceA
  @Injected(injector: Environment.repositories) var repositoryB: any PRepositoryB
}

@Suite("The code of plug.md in Swift 6 mode")
struct PlugTextTests {
  @Test("has the three kinds of injection")
  func injections() throws {
    let injector = Injector()
    try injector.register(tag: "singleton", injectable: Injectable<ServiceA>.singleton(ServiceA()))
    try injector.register(tag: "lazy", injectable: Injectable<ServiceA>.lazySingleton(nil, { ServiceA() }))
    try injector.register(tag: "factory", injectable: Injectable<ServiceA>.factory({ ServiceA() }))
    for (tag, isShared) in [("singleton", true), ("lazy", true), ("factory", false)] as [(Injector.Tag, Bool)] {
      let (first, second) = (try injector.get(ServiceA.self, tag: tag), try injector.get(ServiceA.self, tag: tag))
      #expect((first === second) == isShared)
    }
  }

  @Test("gives nil by subscript and throws by getter where nothing is registered")
  func missing() throws {
    let injector = Injector()
    #expect(injector[(any PServiceA).self] == nil)
    do {
      _ = try injector.get((any PServiceA).self)
      Issue.record("get should have thrown")
    } catch InjectorError.notRegistered {
    }
  }

  @Test("configures by a function, or by an owner, and injects into a view model")
  func configurator() throws {
    let (repositories, services) = (Injector(), Injector())
    try Configurator.configure(repositories: repositories, services: services)
    #expect(try repositories.get((any PRepositoryB).self).foo() == "foo")
    #expect(services[(any PServiceA).self] is ServiceA)

    let owner = Configurator()
    let viewModel = FooViewModel()
    #expect(viewModel.repositoryB.foo() == "foo")
    #expect(viewModel.serviceA as? ServiceA === Environment.services[(any PServiceA).self] as? ServiceA)
    withExtendedLifetime(owner) {}
  }
}
