import Benchmark
import Plug
import PlugKeys
import Synchronization

@inline(never) private func getByHand() -> any Network { ByHand.network }

/// Scopes.
func scoping() {
  let services = demand { try makeRequestServices() }
  compare(
    "open and close an empty scope", limit: 6,
    Work { for _ in $0 { services.makeScope("request").closeNow() } },
    with: Work { for _ in $0 { RequestByHand().close() } })
  compare(
    "open a scope, get one scoped instance, close it", limit: 6.8,
    Work {
      for _ in $0 {
        let scope = services.makeScope("request")
        blackHole(try scope.get(Store.self))
        scope.closeNow()
      }
    },
    with: Work {
      for _ in $0 {
        let request = RequestByHand()
        blackHole(request.store)
        request.close()
      }
    })
  compare(
    "a request: five scoped services, two choices", limit: 7.5,
    Work {
      for number in $0 {
        let scope = services.makeScope("request")
        scope[Visitor.self] = Visit(number: number, country: "DE", isMember: true)
        blackHole(try scope.get(Handler.self))
        scope.closeNow()
      }
    },
    with: Work {
      for number in $0 {
        let request = RequestByHand()
        request.visit = Visit(number: number, country: "DE", isMember: true)
        blackHole(request.makeHandler())
        request.close()
      }
    })
  compare(
    "withScope around a closure, with nothing in it", limit: 5,
    Work(inTask: 1000) { round in for _ in round { await services.withScope("request") { blackHole($0) } } },
    with: Work(inTask: 1000) { round in
      for _ in round {
        let request = RequestByHand()
        RequestByHand.$current.withValue(request) { blackHole(request) }
        request.close()
      }
    })
  let scope = services.makeScope("request")
  let request = RequestByHand()
  demand { _ = try scope.get(Store.self) }
  compare(
    "get an inherited singleton from a scope", limit: 2,
    Work { for _ in $0 { blackHole(try scope.get(Network.self)) } },
    with: Work { for _ in $0 { blackHole(getByHand()) } })
  compare(
    "get a scoped instance that exists", limit: 2.4,
    Work { for _ in $0 { blackHole(try scope.get(Store.self)) } },
    with: Work { for _ in $0 { blackHole(request.store) } })
  compare(
    "open a scope, load one scoped instance, close it", limit: 6.5,
    Work(inTask: 1000) { round in
      for _ in round {
        let scope = services.makeScope("request")
        blackHole(try await scope.load(Account.self))
        scope.closeNow()
      }
    },
    with: Work(inTask: 1000) { round in
      for _ in round {
        let task = Task { SessionAccount(session: StoreSession(store: NetworkStore(network: ByHand.network))) }
        blackHole(await task.value)
      }
    })
  compare(
    "a scope with one instance, await close() against closeNow()", limit: 1.5,
    Work(inTask: 1000) { round in
      for _ in round {
        let scope = services.makeScope("request")
        blackHole(try scope.get(Store.self))
        await scope.close()
      }
    },
    with: Work(inTask: 1000) { round in
      for _ in round {
        let scope = services.makeScope("request")
        blackHole(try scope.get(Store.self))
        scope.closeNow()
      }
    })
}

/// What a request is about.
private struct Visit: Sendable {
  var number = 0
  var country = ""
  var isMember = false
}

private enum Visitor: Property { static let defaultValue = Visit() }

/// What answers a request.
private final class Handler: Sendable {
  let shop: any Shop
  let session: any Session
  let method: any Method
  let carrier: any Carrier

  init(shop: any Shop, session: any Session, method: any Method, carrier: any Carrier) {
    self.shop = shop
    self.session = session
    self.method = method
    self.carrier = carrier
  }
}

private protocol Method: Sendable {}
private final class Invoice: Method {}
private final class Card: Method {}

private protocol Carrier: Sendable {}
private final class Courier: Carrier {}
private final class Parcel: Carrier {}

/// An injector with all that a request needs.
private func makeRequestServices() throws -> Injector {
  let services = Injector()
  try services.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
  try services.register(as: Store.self, injectable: .scoped(wiring: NetworkStore.init))
  try services.register(as: Session.self, injectable: .scoped(wiring: StoreSession.init))
  try services.register(as: Payments.self, injectable: .scoped(wiring: SessionPayments.init))
  try services.register(as: Delivery.self, injectable: .scoped(wiring: SessionDelivery.init))
  try services.register(as: Shop.self, injectable: .scoped(wiring: FullShop.init))
  try services.register(
    PluginPoint<any Method, Visit>("method") {
      Candidate("invoice") { Invoice() }.when(.equals(\.isMember, true))
      Candidate("card") { Card() }
    })
  try services.register(
    PluginPoint<any Carrier, Visit>("carrier") {
      Candidate("courier") { Courier() }.when(.equals(\.country, "NL"))
      Candidate("parcel") { Parcel() }
    })
  try services.register(
    injectable: .factory { scope in
      let visit = scope[Visitor.self]
      return Handler(
        shop: try scope.get(), session: try scope.get(), method: try scope.get(in: visit),
        carrier: try scope.get(in: visit))
    })
  try services.register(
    as: Account.self,
    injectable: .scoped { () async throws -> any Account in
      SessionAccount(session: StoreSession(store: NetworkStore(network: ByHand.network)))
    })
  _ = try services.get(Network.self)
  try services.seal()
  return services
}

/// A request by hand: an object with lazy members behind a lock.
private final class RequestByHand: Sendable {
  private struct Members {
    var visit = Visit()
    var store: (any Store)?
    var session: (any Session)?
    var payments: (any Payments)?
    var delivery: (any Delivery)?
    var shop: (any Shop)?
  }

  /// The request of the calling task.
  @TaskLocal static var current: RequestByHand?

  private let members = Mutex(Members())

  @inline(never)
  init() {}

  @inline(never)
  func close() {
    let ended = members.withLock { members in
      defer { members = Members() }
      return members
    }
    withExtendedLifetime(ended) {}
  }

  var visit: Visit {
    get { members.withLock { $0.visit } }
    set { members.withLock { $0.visit = newValue } }
  }

  var store: any Store {
    @inline(never) get {
      members.withLock { Self.made(&$0.store, NetworkStore(network: ByHand.network)) }
    }
  }

  var session: any Session {
    @inline(never) get {
      let store = store
      return members.withLock { Self.made(&$0.session, StoreSession(store: store)) }
    }
  }

  var payments: any Payments {
    @inline(never) get {
      let store = store
      return members.withLock { Self.made(&$0.payments, SessionPayments(store: store)) }
    }
  }

  var delivery: any Delivery {
    @inline(never) get {
      let store = store
      return members.withLock { Self.made(&$0.delivery, SessionDelivery(store: store)) }
    }
  }

  var shop: any Shop {
    @inline(never) get {
      let payments = payments
      let delivery = delivery
      return members.withLock { Self.made(&$0.shop, FullShop(payments: payments, delivery: delivery)) }
    }
  }

  @inline(__always)
  private static func made<Member: Sendable>(_ member: inout Member?, _ make: @autoclosure () -> Member) -> Member {
    if let member { return member }
    let made = make()
    member = made
    return made
  }

  @inline(never)
  func makeHandler() -> Handler {
    let visit = visit
    return Handler(
      shop: shop, session: session, method: visit.isMember ? Invoice() : Card(),
      carrier: visit.country == "NL" ? Courier() : Parcel())
  }
}
