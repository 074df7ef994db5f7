// swift-format-ignore-file
// The code stands here as it does in the text.

import Plug
import XCTest

// The code of plug.md as it stands there, in Swift 5 mode: classes that are not Sendable, `static var` environments.

protocol PFoo {
  func foo()
}

class Foo: PFoo {
  func foo() {}
}

// MARK: "Given the environment"

struct Environment {
    static var services: Injector = Injector()
    static var repositories: Injector = Injector()
}

// MARK: "We could define following services and repositories"

protocol PServiceA {
    func foo()
}

class ServiceA: PServiceA {
    func foo() {
        print("Service A")
    }
}

protocol PRepositoryB {
    func foo() -> String
}

class RepositoryB: PRepositoryB {
    func foo() -> String {
        return "foo"
    }
}

// MARK: "Then configure the injector as follows"

struct Configurator {
    static func configure(repositories: Injector, services: Injector) throws {
        _ = try? repositories
            .register(as: PRepositoryB.self, injectable: .singleton(RepositoryB()))
        _ = try? services
            .register(as: PServiceA.self, injectable: .factory({ ServiceA() }))
    }
}

// MARK: "or"

enum Second {
  struct Configurator {
    @Registered(inInjector: Environment.repositories)
    var repositoryBInjection = Injection<PRepositoryB>.factory({ RepositoryB() })

    @Registered(inInjector: Environment.services)
    var serviceAInjection = Injection<PServiceA>.singleton(ServiceA())
  }
}

// MARK: "Then inject dependencies into ViewModel"

struct FooViewModel {
    @Injected(injector: Environment.services) var serviceA: PServiceA
    @Injected(injector: Environment.repositories) var repositoryB: PRepositoryB
}

// MARK: "Registered", in the default injector and in a named one

struct DefaultRegistration {
  @Registered
  var serviceAInjection = Injection<PServiceA>.singleton(ServiceA())
}

struct DefaultInjected {
  @Injected var foo: PFoo
}

struct ServicesRegistration {
  @Registered(inInjector: Environment.services)
  var serviceAInjection = Injection<PServiceA>.singleton(ServiceA())
}

struct ServicesInjected {
  @Injected(injector: Environment.services) var serviceA: PServiceA
}

final class PlugTextTests: XCTestCase {
  override func setUp() {
    Environment.services = Injector()
    Environment.repositories = Injector()
  }

  func testSingletonReturnsSameInstanceEveryTime() throws {
    let injector = Injector()
    try injector.register(as: PFoo.self, injectable: Injectable<PFoo>.singleton(Foo()))
    XCTAssertTrue(try injector.get(PFoo.self) as? Foo === injector.get(PFoo.self) as? Foo)
  }

  func testLazySingletonCreatesOneInstanceWithItsFactory() throws {
    let injector = Injector()
    try injector.register(as: PFoo.self, injectable: Injectable<PFoo>.lazySingleton(nil, { Foo() }))
    XCTAssertTrue(try injector.get(PFoo.self) as? Foo === injector.get(PFoo.self) as? Foo)
    let instance = Foo()
    try injector.register(as: Foo.self, injectable: Injectable<Foo>.lazySingleton(instance, { Foo() }))
    XCTAssertTrue(try injector.get(Foo.self) === instance)
  }

  func testFactoryReturnsNewInstanceEveryTime() throws {
    let injector = Injector()
    try injector.register(as: PFoo.self, injectable: Injectable<PFoo>.factory({ Foo() }))
    XCTAssertFalse(try injector.get(PFoo.self) as? Foo === injector.get(PFoo.self) as? Foo)
  }

  func testSubscriptReturnsNilAndGetterThrowsIfNotRegistered() throws {
    let injector = Injector()
    XCTAssertNil(injector[PFoo.self])
    do {
      _ = try injector.get(PFoo.self)
      XCTFail("get should have thrown")
    } catch InjectorError.notRegistered {
    }
    try injector.register(as: PFoo.self, injectable: .singleton(Foo()))
    XCTAssertNotNil(injector[PFoo.self])
  }

  func testConfiguratorRegistersAndViewModelIsInjected() throws {
    try Configurator.configure(repositories: Environment.repositories, services: Environment.services)
    let viewModel = FooViewModel()
    XCTAssertEqual(viewModel.repositoryB.foo(), "foo")
    XCTAssertTrue(viewModel.serviceA is ServiceA)
  }

  func testCreatingAnInstanceOfConfiguratorRegistersInjections() throws {
    XCTAssertNil(Environment.services[PServiceA.self])
    let configurator = Second.Configurator()
    let viewModel = FooViewModel()
    XCTAssertEqual(viewModel.repositoryB.foo(), "foo")
    XCTAssertTrue(viewModel.serviceA as? ServiceA === Environment.services[PServiceA.self] as? ServiceA)
    withExtendedLifetime(configurator) {}
  }

  func testWrappersWithoutArgumentsUseTheDefaultInjector() throws {
    let registration = DefaultRegistration()
    XCTAssertNotNil(Injector.default[PServiceA.self])
    withExtendedLifetime(registration) {}
    try Injector.default.register(as: PFoo.self, injectable: .singleton(Foo()))
    defer { _ = try? Injector.default.unregister(PFoo.self) }
    XCTAssertTrue(DefaultInjected().foo as? Foo === Injector.default[PFoo.self] as? Foo)
  }

  func testWrappersTakeTheInjectorThatIsNamed() {
    let registration = ServicesRegistration()
    XCTAssertTrue(ServicesInjected().serviceA is ServiceA)
    withExtendedLifetime(registration) {}
  }
}
