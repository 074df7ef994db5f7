import Plug

protocol Network: Sendable { func fetch() -> Int }
final class HTTPNetwork: Network { func fetch() -> Int { 200 } }

protocol Store: Sendable {}
protocol Session: Sendable {}
protocol Account: Sendable {}
protocol Checkout: Sendable {}

final class NetworkStore: Store {
  let network: any Network
  init(network: any Network) { self.network = network }
}

final class StoreSession: Session {
  let store: any Store
  init(store: any Store) { self.store = store }
}

final class SessionAccount: Account {
  let session: any Session
  init(session: any Session) { self.session = session }
}

final class AccountCheckout: Checkout {
  let account: any Account
  init(account: any Account) { self.account = account }
}

protocol Payments: Sendable {}
protocol Delivery: Sendable {}
protocol Shop: Sendable {}

final class SessionPayments: Payments {
  let store: any Store
  init(store: any Store) { self.store = store }
}

final class SessionDelivery: Delivery {
  let store: any Store
  init(store: any Store) { self.store = store }
}

final class FullShop: Shop {
  let payments: any Payments
  let delivery: any Delivery
  init(payments: any Payments, delivery: any Delivery) {
    self.payments = payments
    self.delivery = delivery
  }
}

/// This graph, composed by hand.
enum ByHand {
  static let network: any Network = HTTPNetwork()

  static func makeNetwork() -> any Network { HTTPNetwork() }
  static func makeStore() -> any Store { NetworkStore(network: makeNetwork()) }
  static func makeSession() -> any Session { StoreSession(store: makeStore()) }
  static func makeAccount() -> any Account { SessionAccount(session: makeSession()) }
  static func makeCheckout() -> any Checkout { AccountCheckout(account: makeAccount()) }
  static func makePayments() -> any Payments { SessionPayments(store: makeStore()) }
  static func makeDelivery() -> any Delivery { SessionDelivery(store: makeStore()) }
  static func makeShop() -> any Shop { FullShop(payments: makePayments(), delivery: makeDelivery()) }
}

/// An injector in which everything is made again for each request.
func makeFactories() throws -> Injector {
  let injector = Injector()
  try injector.register(as: Network.self, injectable: .factory { HTTPNetwork() })
  try injector.register(as: Store.self, injectable: .factory { NetworkStore(network: try $0.get()) })
  try injector.register(as: Session.self, injectable: .factory { StoreSession(store: try $0.get()) })
  try injector.register(as: Account.self, injectable: .factory { SessionAccount(session: try $0.get()) })
  try injector.register(as: Checkout.self, injectable: .factory { AccountCheckout(account: try $0.get()) })
  try injector.register(as: Payments.self, injectable: .factory { SessionPayments(store: try $0.get()) })
  try injector.register(as: Delivery.self, injectable: .factory { SessionDelivery(store: try $0.get()) })
  try injector.register(as: Shop.self, injectable: .factory(wiring: FullShop.init))
  return injector
}
