import Plug
import PlugKeys
import PlugOperations
import Synchronization
import Testing

// The usage that lazycontainer.md shows, in Swift 6 mode. Each test names what the text promises.

private final class YourClass: Sendable {}

private struct YourStruct: Sendable, Equatable {
  let number = 1
}

/// Who has been made, in that order.
private final class Made: Sendable {
  private let state = Mutex<[String]>([])

  var names: [String] { state.withLock { $0 } }

  func note(_ name: String) { state.withLock { $0.append(name) } }
}

private final class ServiceD: Sendable {}

private final class ServiceC: Sendable {
  let serviceD: ServiceD
  init(serviceD: ServiceD) { self.serviceD = serviceD }
}

private final class ServiceB: Sendable {
  let serviceD: ServiceD
  init(serviceD: ServiceD) { self.serviceD = serviceD }
}

private final class ServiceA: Sendable {
  let serviceB: ServiceB
  let serviceC: ServiceC
  init(serviceB: ServiceB, serviceC: ServiceC) {
    self.serviceB = serviceB
    self.serviceC = serviceC
  }
}

@Suite("The usage of lazycontainer.md")
struct LazyContainerTextTests {
  @Test("A builder makes nothing until it is read, and then it gives the same instance each time")
  func builder() {
    let made = Made()
    let builder = Lazy {
      made.note("YourClass")
      return YourClass()
    }
    #expect(made.names == [])
    let yourClass = builder.instance
    let anotherClass = builder.instance
    #expect(yourClass === anotherClass)
    #expect(made.names == ["YourClass"])
  }

  @Test("A builder's closure may have several statements, and may make a struct")
  func builderOfStruct() {
    let secondBuilder = Lazy {
      let yourStruct = YourStruct()
      return yourStruct
    }
    #expect(secondBuilder.instance == YourStruct())
  }

  @Test("A builder can be registered and resolved by the type that is expected")
  func registerBuilder() throws {
    let container = Injector()
    let builder = Lazy { YourClass() }
    try container.register(builder.get)
    let yourClass: YourClass = container.resolve()
    #expect(yourClass === builder.instance)
  }

  @Test("A container holds many of them")
  func many() throws {
    let container = Injector()
    try container.register(Lazy { YourClass() }.get)
    try container.register(Lazy { YourStruct() }.get)
    let yourStruct: YourStruct = container.resolve()
    let yourClass: YourClass? = container.resolve()
    #expect(yourStruct == YourStruct() && yourClass != nil)
  }

  @Test("A service that is not registered is nil when it is resolved as an optional")
  func optional() throws {
    let container = Injector()
    let absent: YourClass? = container.resolve()
    #expect(absent == nil)
    try container.register { YourClass() }
    let yourClass: YourClass? = container.resolve()
    #expect(yourClass === container.resolve(YourClass.self))
  }

  @Test("A service that is not registered ends the program when it is resolved as a required one")
  func fatal() async {
    await #expect(processExitsWith: .failure) {
      let _: YourClass = Injector().resolve()
    }
  }

  @Test("A closure can be registered without a builder, with the container or without")
  func closure() throws {
    let container = Injector()
    try container.register { _ in YourClass() }
    try container.register { YourStruct() }
    #expect(try container.get(YourClass.self) === container.get(YourClass.self))
    #expect(try container.get(YourStruct.self) == YourStruct())
  }

  @Test("The container is handed to the closures; what two of them need is made once, and before them")
  func graph() throws {
    let made = Made()
    let container = Injector()
    try container.register { _ in
      made.note("D")
      return ServiceD()
    }
    try container.register { container in
      let serviceC = ServiceC(serviceD: try container.get())
      made.note("C")
      return serviceC
    }
    try container.register { container in
      let serviceB = ServiceB(serviceD: try container.get())
      made.note("B")
      return serviceB
    }
    try container.register { container in
      let serviceA = ServiceA(serviceB: try container.get(), serviceC: try container.get())
      made.note("A")
      return serviceA
    }
    #expect(made.names == [])
    let serviceA: ServiceA = container.resolve()
    #expect(made.names == ["D", "B", "C", "A"])
    #expect(serviceA.serviceB.serviceD === serviceA.serviceC.serviceD)
  }

  @Test("The same graph can be registered with the initializers alone, and checked before anything is made")
  func wiring() throws {
    let container = Injector()
    try container.register { ServiceD() }
    try container.register(wiring: ServiceC.init)
    try container.register(wiring: ServiceB.init)
    try container.register(wiring: ServiceA.init)
    #expect(try container.validate().problems == [])
    let serviceA: ServiceA = container.resolve()
    #expect(serviceA.serviceB.serviceD === serviceA.serviceC.serviceD)
  }
}
