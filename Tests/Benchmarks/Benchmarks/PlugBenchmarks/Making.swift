import Benchmark
import Plug

@inline(never) private func get<Service: Sendable>(_: Service.Type, _ injector: Injector) throws -> Service {
  try injector.get(Service.self)
}

/// New instances.
func making() {
  for isSealed in [true, false] {
    guard let injector = try? makeFactories() else { continue }
    if isSealed { try? injector.seal() }
    let state = isSealed ? "sealed" : "not sealed"
    measure("new instance, \(state)", .plug) { for _ in $0 { blackHole(try get((any Network).self, injector)) } }
    measure("new instance, \(state)", .byHand) { for _ in $0 { blackHole(ByHand.makeNetwork()) } }
    measure("chain of 5, \(state)", .plug) { for _ in $0 { blackHole(try get((any Checkout).self, injector)) } }
    measure("chain of 5, \(state)", .byHand) { for _ in $0 { blackHole(ByHand.makeCheckout()) } }
    measure("diamond of 7, \(state)", .plug) { for _ in $0 { blackHole(try get((any Shop).self, injector)) } }
    measure("diamond of 7, \(state)", .byHand) { for _ in $0 { blackHole(ByHand.makeShop()) } }
  }
}
