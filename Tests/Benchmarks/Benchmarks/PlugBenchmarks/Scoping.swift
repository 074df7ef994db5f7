import Benchmark
import Plug

private final class Handler: Sendable {}

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
    "open and close an empty scope, against 300 ns", limit: 1,
    Work { for _ in $0 { services.makeScope("request").close() } }, with: .nanoseconds(300))
  compare(
    "open a scope, get one scoped instance, close it",
    Work {
      for _ in $0 {
        let scope = services.makeScope("request")
        blackHole(try scope.get(Handler.self))
        scope.close()
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
