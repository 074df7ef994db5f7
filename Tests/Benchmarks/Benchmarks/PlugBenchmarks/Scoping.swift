import Benchmark
import Plug
import Synchronization

private final class Handler: Sendable {}

/// A scope by hand: what a request keeps, under a lock.
private final class RequestByHand: Sendable {
  let services: Injector
  let name: String
  private let instances = Mutex<[ObjectIdentifier: any Sendable]?>([:])

  @inline(never)
  init(_ services: Injector, _ name: String) {
    self.services = services
    self.name = name
  }

  @inline(never)
  func close() {
    let instances = instances.withLock { instances in
      defer { instances = nil }
      return instances
    }
    withExtendedLifetime(instances) {}
  }
}

/// Scopes.
func scoping() {
  let services = Injector()
  demand {
    try services.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
    try services.register(injectable: .scoped { Handler() })
    _ = try services.get(Network.self)
    try services.seal()
  }
  compare(
    "open and close an empty scope", limit: 6,
    Work { for _ in $0 { services.makeScope("request").closeNow() } },
    with: Work { for _ in $0 { RequestByHand(services, "request").close() } })
  compare(
    "open a scope, get one scoped instance, close it",
    Work {
      for _ in $0 {
        let scope = services.makeScope("request")
        blackHole(try scope.get(Handler.self))
        scope.closeNow()
      }
    },
    with: Work { for _ in $0 { blackHole(Handler()) } })
  let scope = services.makeScope("request")
  demand { _ = try scope.get(Handler.self) }
  compare(
    "get an inherited singleton from a scope",
    Work { for _ in $0 { blackHole(try scope.get(Network.self)) } },
    with: Work { for _ in $0 { blackHole(ByHand.network) } })
  compare(
    "get a scoped instance that exists",
    Work { for _ in $0 { blackHole(try scope.get(Handler.self)) } },
    with: Work { for _ in $0 { blackHole(ByHand.network) } })
}
