import Benchmark
import Plug

@inline(never) private func get<Service: Sendable>(_: Service.Type, _ injector: Injector) throws -> Service {
  try injector.get(Service.self)
}

/// New instances.
func making() {
  for isSealed in [true, false] {
    let injector = demand { try makeFactories() }
    if isSealed { demand { try injector.seal() } }
    let state = isSealed ? "sealed" : "not sealed"
    compare(
      "new instance, \(state)", limit: 2.5,
      Work { for _ in $0 { blackHole(try get((any Network).self, injector)) } },
      with: Work { for _ in $0 { blackHole(ByHand.makeNetwork()) } })
    compare(
      "chain of 5, all new, \(state)", limit: 2,
      Work { for _ in $0 { blackHole(try get((any Checkout).self, injector)) } },
      with: Work { for _ in $0 { blackHole(ByHand.makeCheckout()) } })
    compare(
      "diamond of 7, all new, \(state)", limit: 2,
      Work { for _ in $0 { blackHole(try get((any Shop).self, injector)) } },
      with: Work { for _ in $0 { blackHole(ByHand.makeShop()) } })
  }
}
