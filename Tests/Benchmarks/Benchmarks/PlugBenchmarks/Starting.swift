import Benchmark
import Plug

private func get<Service: Numbered>(_ type: Service.Type, from injector: Injector) throws(InjectorError) {
  blackHole(try injector.get(type))
}

private func get<Service: Numbered>(_ type: Service.Type, from factories: Factories) {
  blackHole(factories.get(type))
}

/// What a program does once: it registers, seals, and gets each service for the first time.
func starting() {
  let types = Array(NumberedTypes.all.prefix(1000))
  func registered() throws -> Injector {
    let injector = Injector()
    for type in types { try register(type, in: injector) }
    return injector
  }
  func registeredByHand() -> Factories {
    let factories = Factories()
    for type in types { factories.register(type) }
    return factories
  }
  let firstByHand = Work(types.count, preparing: registeredByHand) { factories in
    for type in types { get(type, from: factories) }
  }
  compare(
    "first get, each of 1000 types, not sealed", limit: 5,
    Work(types.count, preparing: registered) { injector in for type in types { try get(type, from: injector) } },
    with: firstByHand)
  compare(
    "first get, each of 1000 types, sealed", limit: 5,
    Work(types.count, preparing: { try registered().sealed() }) { injector in
      for type in types { try get(type, from: injector) }
    },
    with: firstByHand)
  compare(
    "register and first get, each of 1000 types", limit: 5.5,
    Work(types.count) { _ in
      let injector = try registered()
      for type in types { try get(type, from: injector) }
    },
    with: Work(types.count) { _ in
      let factories = registeredByHand()
      for type in types { get(type, from: factories) }
    })
  compare(
    "register, seal and first get, each of 1000 types", limit: 3.5,
    Work(types.count) { _ in
      let injector = try registered().sealed()
      for type in types { try get(type, from: injector) }
    },
    with: Work(types.count) { _ in
      let factories = registeredByHand()
      for type in types { get(type, from: factories) }
    })
  compare(
    "seal, each of 1000 types, against registering them by hand", limit: 4.1,
    Work(types.count, preparing: registered) { try $0.seal() },
    with: Work(types.count) { _ in blackHole(registeredByHand()) })
}

extension Injector {
  fileprivate func sealed() throws(InjectorError) -> Injector {
    try seal()
    return self
  }
}
