import Plug

private final class Page: Sendable {
  let network: any Network

  init(network: any Network) {
    self.network = network
  }
}

extension Allocations {
  static func countScopes(_ check: inout Check) throws {
    let services = Injector("services")
    try services.register(as: Network.self, injectable: .scoped(wiring: HTTPNetwork.init))
    try services.register(injectable: .scoped(wiring: Page.init))
    try services.seal()
    // The scope, its registrations, and what its instances stand and lie in; then each of these.
    try check.allocations(of: "a scope with an instance", are: 5) {  // 4
      let scope = services.makeScope("request")
      use(try scope.get(Network.self))
      scope.closeNow()
    }
    try check.allocations(of: "a scope with two instances", are: 8) {  // 5
      let scope = services.makeScope("request")
      use(try scope.get(Page.self))
      scope.closeNow()
    }
    let scope = services.makeScope("request")
    try check.allocations(of: "get of an instance of a scope", are: 0) { use(try scope.get(Network.self)) }
    try check.growth(in: 1_000_000, of: "scopes with instances, closed or released", is: 0) { round in
      let scope = services.makeScope("request")
      use(try scope.get(Page.self))
      if round.isMultiple(of: 2) { scope.closeNow() }
    }
  }
}
