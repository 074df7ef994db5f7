import Benchmark
import Plug
import PlugTesting

private final class FakeNetwork: Network { func fetch() -> Int { 0 } }

private func make<Service: Numbered>(_ type: Service.Type, in injector: Injector) throws {
  try injector.register(injectable: .lazySingleton { type.init() })
  _ = try injector.get(type)
}

/// Isolated tests.
func isolating() {
  for count in [10, 1000] {
    let services = Injector()
    demand {
      try services.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
      for type in NumberedTypes.all.prefix(count - 1) { try make(type, in: services) }
      _ = try services.get(Network.self)
      try services.seal()
    }
    let fake = FakeNetwork()
    compare(
      "isolate a test, override one of \(count) made, get it, against 600 ns", limit: 1,
      Work {
        for _ in $0 {
          try withIsolatedInjectors {
            try services.override(as: Network.self, injectable: .singleton(fake))
            blackHole(try services.get(Network.self))
          }
        }
      },
      with: .nanoseconds(600))
  }
}
