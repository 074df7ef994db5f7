import Benchmark
import Plug
import Synchronization

@inline(never) private func get<Service: Sendable>(_: Service.Type, _ injector: Injector) throws -> Service {
  try injector.get(Service.self)
}

extension Injector {
  fileprivate var newNetwork: Provider<any Network> { provide(.factory { HTTPNetwork() }) }
  fileprivate var listing: Provider<any Network, Int> { provide { _, _ in HTTPNetwork() } }
}

@inline(never) private func provided(_ injector: Injector) -> any Network { injector.newNetwork() }
@inline(never) private func listed(_ injector: Injector, _ number: Int) -> any Network { injector.listing(number) }
@inline(never) private func get(_ injector: Injector, with number: Int) throws -> any Network {
  try injector.get((any Network).self, with: number)
}

/// A get of something that is not registered, among so many that are.
func failing() {
  func makeInjector() -> Injector {
    let injector = Injector()
    demand { for type in NumberedTypes.all.prefix(10_000) { try register(type, in: injector) } }
    return injector
  }
  compare(
    "get that fails, 10000 registered, against 1 ms", limit: 1,
    Work(10, on: makeInjector()) { injector, round in
      for _ in round { blackHole(try? injector.get((any Network).self)) }
    },
    with: .nanoseconds(1_000_000))
}

private let keptByHand = Mutex<[Int: any Network]>([:])

@inline(never) private func getKeptByHand(_ number: Int) -> any Network {
  keptByHand.withLock { kept in
    if let existing = kept[number] { return existing }
    let made = ByHand.makeNetwork()
    kept[number] = made
    return made
  }
}

/// Instances that are kept for equal arguments, against a dictionary behind a lock.
func gettingKept() {
  let injector = Injector()
  demand {
    try injector.register(Network.self, taking: Int.self, lifetime: .lazySingleton) { _, _ in HTTPNetwork() }
    try injector.seal()
  }
  compare(
    "get an instance kept for an argument", limit: 27,
    Work { for number in $0 { blackHole(try get(injector, with: number & 7)) } },
    with: Work { for number in $0 { blackHole(getKeptByHand(number & 7)) } })
}

/// New instances.
func making() {
  for isSealed in [true, false] {
    let injector = demand { try makeFactories() }
    demand { try injector.register(Network.self, taking: Int.self) { _, _ in HTTPNetwork() } }
    if isSealed { demand { try injector.seal() } }
    let state = isSealed ? "sealed" : "not sealed"
    let byHand = Work { for _ in $0 { blackHole(ByHand.makeNetwork()) } }
    compare(
      "new instance, \(state)", limit: 3.7,
      Work { for _ in $0 { blackHole(try get((any Network).self, injector)) } },
      with: byHand)
    compare(
      "provider of a factory, \(state)", limit: 18, Work { for _ in $0 { blackHole(provided(injector)) } },
      with: byHand)
    compare(
      "get with arguments, \(state)", limit: 30,
      Work { for number in $0 { blackHole(try get(injector, with: number)) } }, with: byHand)
    compare(
      "provider that takes arguments, \(state)", limit: 36,
      Work { for number in $0 { blackHole(listed(injector, number)) } }, with: byHand)
    compare(
      "chain of 5, all new, \(state)", limit: isSealed ? 2.5 : 2.7,
      Work { for _ in $0 { blackHole(try get((any Checkout).self, injector)) } },
      with: Work { for _ in $0 { blackHole(ByHand.makeCheckout()) } })
    compare(  // Like the chain, whose budget is 2.2.
      "diamond of 7, all new, \(state)", limit: isSealed ? 3.6 : 4.1,
      Work { for _ in $0 { blackHole(try get((any Shop).self, injector)) } },
      with: Work { for _ in $0 { blackHole(ByHand.makeShop()) } })
  }
}
