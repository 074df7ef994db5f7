import Benchmark
import Plug

func register<Service: Numbered>(_ type: Service.Type, in injector: Injector) throws(InjectorError) {
  try injector.register(as: type, injectable: .lazySingleton { Service() })
}

/// What someone would write who needs just this: a table of typed factories.
private final class Factories {
  var table: [ObjectIdentifier: AnyObject] = [:]

  func register<Service: Numbered>(_ type: Service.Type) {
    table[ObjectIdentifier(type)] = Factory<Service> { Service() }
  }
}

private final class Factory<Service: Sendable> {
  let make: @Sendable () -> Service
  var instance: Service?

  init(_ make: @escaping @Sendable () -> Service) {
    self.make = make
  }
}

/// Registrations into an empty injector.
func registering() {
  for count in [10, 100, 1000, 10_000] {
    let types = Array(NumberedTypes.all.prefix(count))
    let row = "register, each of \(count)"
    measure(row, .plug, operations: count) { _ in
      let injector = Injector()
      for type in types { try register(type, in: injector) }
      blackHole(injector)
    }
    measure(row, .byHand, operations: count) { _ in
      let factories = Factories()
      for type in types { factories.register(type) }
      blackHole(factories)
    }
  }
}
