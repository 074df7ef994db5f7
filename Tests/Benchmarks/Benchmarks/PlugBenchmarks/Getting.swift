import Benchmark
import Plug

@inline(never) private func getByHand() -> any Network { ByHand.network }
@inline(never) private func get(_ injector: Injector) throws -> any Network { try injector.get(Network.self) }

/// An injector with as many lazy singletons as are asked for, among them a built `Network`.
private func makeInjector(_ count: Int, isSealed: Bool) throws -> Injector {
  let injector = Injector()
  try injector.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
  for type in NumberedTypes.all.prefix(count - 1) { try register(type, in: injector) }
  _ = try injector.get(Network.self)
  if isSealed { try injector.seal() }
  return injector
}

/// A built singleton.
func getting() {
  for isSealed in [true, false] {
    let state = isSealed ? "sealed" : "not sealed"
    for count in [10, 100, 1000, 10_000] {
      guard let injector = try? makeInjector(count, isSealed: isSealed) else { continue }
      let row = "get, \(state), \(count) registered"
      measure(row, .plug) { for _ in $0 { blackHole(try get(injector)) } }
      measure(row, .byHand) { for _ in $0 { blackHole(getByHand()) } }
    }
    guard let injector = try? makeInjector(10, isSealed: isSealed) else { continue }
    let row = "get, \(state), 2 threads"
    measure(row, .plug, operations: 500_000) { round in
      try onTwoThreads { for _ in round { blackHole(try get(injector)) } }
    }
    measure(row, .byHand, operations: 500_000) { round in
      try onTwoThreads { for _ in round { blackHole(getByHand()) } }
    }
  }
}
