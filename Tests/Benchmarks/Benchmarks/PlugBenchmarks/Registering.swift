import Benchmark
import Plug

func register<Service: Numbered>(_ type: Service.Type, in injector: Injector) throws(InjectorError) {
  try injector.register(as: type) { Service() }
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

private struct Key: Hashable {
  let type: ObjectIdentifier
  let tag: String
}

/// Registrations into an empty injector.
func registering() {
  let tags = (0..<1000).map { "tag \($0)" }
  measure("register, each of 1000 tags", .plug, operations: tags.count) { _ in
    let injector = Injector()
    for tag in tags {
      try injector.register(
        as: Network.self, tag: Injector.Tag(rawValue: tag), injectable: .lazySingleton { HTTPNetwork() })
    }
    blackHole(injector)
  }
  measure("register, each of 1000 tags", .byHand, operations: tags.count) { _ in
    var table: [Key: Factory<any Network>] = [:]
    for tag in tags {
      table[Key(type: ObjectIdentifier((any Network).self), tag: tag)] = Factory { HTTPNetwork() }
    }
    blackHole(table)
  }
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
