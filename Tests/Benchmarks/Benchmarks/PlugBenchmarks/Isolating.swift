import Benchmark
import Plug
import PlugTesting

private final class FakeNetwork: Network { func fetch() -> Int { 0 } }

private func make<Service: Numbered>(_ type: Service.Type, in injector: Injector) throws {
  try injector.register(injectable: .lazySingleton { type.init() })
  _ = try injector.get(type)
}

/// Ten services that a test replaces for its own task: a copy of a table, task-local.
private enum ServicesByHand {
  @TaskLocal static var current: [ObjectIdentifier: any Sendable] = {
    var services: [ObjectIdentifier: any Sendable] = [:]
    for type in NumberedTypes.all.prefix(9) { services[ObjectIdentifier(type)] = type.init() }
    services[ObjectIdentifier(Network.self)] = ByHand.network
    return services
  }()

  @inline(never)
  static func getIsolated(_ fake: any Network) -> any Sendable {
    var services = current
    services[ObjectIdentifier(Network.self)] = fake
    return $current.withValue(services) { current[ObjectIdentifier(Network.self)] ?? fake }
  }
}

/// Isolated tests.
func isolating() {
  for count in [10, 1000] {
    func makeServices() -> Injector {
      let services = Injector()
      demand {
        try services.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
        for type in NumberedTypes.all.prefix(count - 1) { try make(type, in: services) }
        _ = try services.get(Network.self)
        try services.seal()
      }
      return services
    }
    let fake = FakeNetwork()
    compare(  // Its budget is 20, whatever the number of registrations.
      "isolate a test, override one of \(count) made, get it", limit: 45,
      Work(on: makeServices()) { services, round in
        for _ in round {
          try withIsolatedInjectors {
            try services.override(as: Network.self, injectable: .singleton(fake))
            blackHole(try services.get(Network.self))
          }
        }
      },
      with: Work { for _ in $0 { blackHole(ServicesByHand.getIsolated(fake)) } })
  }
}
