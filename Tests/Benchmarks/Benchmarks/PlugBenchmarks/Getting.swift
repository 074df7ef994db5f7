import Benchmark
import Plug
import PlugKeys

@inline(never) private func getByHand() -> any Network { ByHand.network }
@inline(never) private func get(_ injector: Injector) throws -> any Network { try injector.get(Network.self) }

@inline(never) private func resolve(_ injector: Injector) -> any Network { injector.resolve() }
@inline(never) private func subscripted(_ injector: Injector) -> (any Network)? { injector[(any Network).self] }

/// An injector with as many lazy singletons as are asked for, among them a built `Network`.
private func makeInjector(_ count: Int, isSealed: Bool) -> Injector {
  let injector = Injector()
  demand {
    try injector.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
    for type in NumberedTypes.all.prefix(count - 1) { try register(type, in: injector) }
    _ = try injector.get(Network.self)
    if isSealed { try injector.seal() }
  }
  return injector
}

private func makeTracedInjector() -> Injector {
  let injector = makeInjector(1, isSealed: true)
  injector.tracer = { _ in }
  return injector
}

private func gets(from injector: @autoclosure @escaping () -> Injector) -> Work {
  Work(on: injector()) { injector, round in for _ in round { blackHole(try get(injector)) } }
}

/// A built singleton.
func getting() {
  let byHand = Work { for _ in $0 { blackHole(getByHand()) } }
  for isSealed in [true, false] {
    let state = isSealed ? "sealed" : "not sealed"
    for count in [10, 100, 1000, 10_000] {
      compare(
        "get, \(state), \(count) registered", limit: isSealed ? 1.5 : 3,
        gets(from: makeInjector(count, isSealed: isSealed)), with: byHand)
    }
    let few = makeInjector(10, isSealed: isSealed)
    compare(
      "resolve, \(state)", limit: isSealed ? 1.5 : 3,
      Work { for _ in $0 { blackHole(resolve(few)) } }, with: byHand)
    compare(
      "subscript, \(state)", limit: isSealed ? 3 : 6.4,  // It shares the budget of get, 2.8.
      Work { for _ in $0 { blackHole(subscripted(few)) } }, with: byHand)
    compare(
      "get, \(state), 10000 registered against 10", limit: 1.2,
      gets(from: makeInjector(10_000, isSealed: isSealed)), with: gets(from: few))
    compare(
      "get, \(state), while another injector has a tracer", limit: isSealed ? 1.5 : 15,  // Its budget is 2.8.
      Work(on: (makeInjector(10, isSealed: isSealed), makeTracedInjector())) { injectors, round in
        for _ in round { blackHole(try get(injectors.0)) }
      }, with: byHand)
  }
}

@inline(never) private func getReplica(_ injector: Injector) throws -> any Network {
  try injector.get(Network.self, tag: "replica")
}

/// What takes a lock, or would with less care, in a server with more threads than processors.
///
/// Without limits: a `Mutex` of Linux passes from one waiting thread to the next. On some machines, all threads then
/// wait for their turn at a processor with each request.
func gettingOnEightThreads() {
  compareThreads("get with a tracer") {
    let traced = makeTracedInjector()
    return { blackHole(try get(traced)) }
  }
  compareThreads("get a weak singleton") {
    let services = Injector()
    try services.register(injectable: .weakSingleton { HTTPNetwork() })
    try services.seal()
    let kept = try services.get(HTTPNetwork.self)
    return {
      blackHole(try services.get(HTTPNetwork.self))
      withExtendedLifetime(kept) {}
    }
  }
  compareThreads("get an instance kept for an argument") {
    let services = Injector()
    try services.register(Network.self, taking: Int.self, lifetime: .lazySingleton) { _, _ in HTTPNetwork() }
    try services.seal()
    return { blackHole(try services.get(Network.self, with: 1)) }
  }
  compareThreads("get in a context, told once for each") {
    let services = Injector()
    try services.register(
      PluginPoint<any Network, Shopper>("network") { Candidate("http", .singleton(HTTPNetwork())) })
    try services.seal()
    let token = services.onSelection(.once(per: \Shopper.id)) { _ in }
    return {
      blackHole(try services.get(Network.self, in: Shopper.all))
      withExtendedLifetime(token) {}
    }
  }
}

/// - Parameter prepare: Called when the row begins: each process sets all rows up, and one that follows choices slows
///   those of all others.
private func compareThreads(
  _ row: String, _ prepare: @escaping () throws -> @Sendable () throws -> Void
) {
  let (count, threads) = (40_000, 8)
  lazy var body = demand(prepare)
  compare(
    "\(row), on eight threads against one",
    Work(count) { round in
      let body = body
      try onThreads(threads) { _ in for _ in 0..<round.count / threads { try body() } }
    },
    with: Work(count) { for _ in $0 { try body() } })
}

/// Built singletons, on two threads at once.
///
/// A retain of the same object from two threads costs several times one from a single thread, by hand as well. What the
/// injector itself adds to that shows with a service for each thread.
func gettingOnTwoThreads() {
  let count = 500_000
  let byHand = Work(count) { for _ in $0 { blackHole(getByHand()) } }
  let byHandTwice = Work(count) { round in try onThreads(2) { _ in for _ in round { blackHole(getByHand()) } } }
  compare("static let, on two threads against one", byHandTwice, with: byHand)
  for isSealed in [true, false] {
    let state = isSealed ? "sealed" : "not sealed"
    let injector = makeInjector(10, isSealed: false)
    demand {
      try injector.register(as: Network.self, tag: "replica", injectable: .singleton(HTTPNetwork()))
      if isSealed { try injector.seal() }
    }
    compare(  // Its budget: at most 4 times one thread.
      "get, \(state), on two threads", limit: isSealed ? 1.3 : 9.6,
      Work(count) { round in try onThreads(2) { _ in for _ in round { blackHole(try get(injector)) } } },
      with: byHandTwice)
    compare(
      "get, \(state), another service on each of two threads against one thread", limit: isSealed ? 2 : 8,
      Work(count) { round in
        try onThreads(2) { thread in
          if thread == 0 {
            for _ in round { blackHole(try get(injector)) }
          } else {
            for _ in round { blackHole(try getReplica(injector)) }
          }
        }
      },
      with: Work(count) { for _ in $0 { blackHole(try getReplica(injector)) } })
  }
}
