// Likely mistakes with registrations: the error names the mistake, and what to write.
import Plug
import PlugKeys

protocol Wishlist: Sendable {}
struct LocalWishlist: Wishlist {}

struct Client: Sendable {
  init() {}
  init(address: String) {}
  static func connect() async throws -> Client { Client() }
}

@MainActor final class Panel {
  init() {}
}

final class Draft {}

final class Panels: Sendable {}

func register(in services: Injector) throws {
  try services.register(as: (any Wishlist).self) { LocalWishlist() }
  try services.register(as: Client.self, injectable: .lazySingleton(wiring: Client.init(address:)))
  try services.register(wiring: Client.init(address:))
  try services.register(.singleton(Client()))
  try services.register((any Wishlist).self) { LocalWishlist() }
  try services.register((any Wishlist).self, tag: "shared") { _ in LocalWishlist() }
  try services.register(as: (any Wishlist).self, .lazySingleton { LocalWishlist() })
  try services.register((any Wishlist).self, .lazySingleton { LocalWishlist() })
  try services.register(.lazySingleton { Client() })
  try services.register { @MainActor in Panel() }
  try services.register(Panel.self) { @MainActor in Panel() }
  try services.register(injectable: .lazySingleton { try await Client.connect() })
  try services.register(Lazy { Client() }.get)
  try services.register(injectable: .weakSingleton(WeakLazy { Panels() }.get))
  try services.register(Client.self, taking: String.self) { address, _ in Client(address: address) }
}

#if REFUSED
  func refuse(in services: Injector, calledAs name: String) throws {
    // error: use of protocol 'Wishlist' as a type must be written 'any Wishlist'
    try services.register(as: Wishlist.self) { LocalWishlist() }
    // error: type 'Draft' does not conform to the 'Sendable' protocol
    try services.register { Draft() }
    // error: cannot convert value of type 'Client' to closure result type 'any Wishlist'
    try services.register(as: (any Wishlist).self) { Client() }
    // error: argument type 'Client' does not conform to expected type 'Wishlist'
    try services.register(as: (any Wishlist).self, injectable: .singleton(Client()))
    // error: is unavailable: register what it gets: register(lazy.get)
    try services.register(Lazy { Client() })
    // error: is unavailable: register what it gets: register(.weakSingleton(lazy.get))
    try services.register(WeakLazy { Panels() })
    // error: cannot convert value of type 'String' to expected argument type 'Injector.Tag'
    try services.register(as: Client.self, tag: name, injectable: .singleton(Client()))
    // error: ambiguous use of 'init'
    try services.register(as: Client.self, injectable: .lazySingleton(wiring: Client.init))
  }

  func refuseInstance(in services: Injector, _ client: Client) throws {
    // error: is unavailable: state how the instance lives: register(.singleton(user)), register { User() }
    try services.register(client)
    // error: is unavailable: state how the instance lives: register(.singleton(user)), register { User() }
    try services.register(Client.self, client)
    // error: is unavailable: state how the instance lives: register(.singleton(user)), register { User() }
    try services.register((any Wishlist).self, LocalWishlist())
    // error: type '() -> Client' does not conform to the 'Sendable' protocol
    try services.register(.singleton { Client() })
    // error: is unavailable: pass the instance, .singleton(User()), or use .lazySingleton { User() }
    try services.register((any Wishlist).self, .singleton { LocalWishlist() })
  }

  func refuseAsynchronous(in services: Injector) throws {
    // error: is unavailable: use register(.lazySingleton { try await … }), and load it
    try services.register { try await Client.connect() }
    // error: is unavailable: use register(.lazySingleton { try await … }), and load it
    try services.register { injector in try await Client.connect() }
    // error: 'factory' is unavailable: only .lazySingleton and .scoped can be made asynchronously
    try services.register(injectable: .factory { try await Client.connect() })
  }

  func refuseActor(in services: Injector) throws {
    // error: call to main actor-isolated initializer 'init()' in a synchronous nonisolated context
    try services.register { Panel() }
    // error: call to main actor-isolated initializer 'init()' in a synchronous nonisolated context
    try services.register(injectable: .lazySingleton { Panel() })
  }

  func refuseArguments(in services: Injector) throws {
    // error: is unavailable: the closure receives the arguments and then the injector: { id, injector in … }
    try services.register(Client.self, taking: Int.self) { Client() }
    // error: is unavailable: the closure receives the arguments and then the injector: { id, injector in … }
    try services.register(Client.self, taking: Int.self) { id in Client() }
    // error: is unavailable: the closure receives the arguments and then the injector: { id, injector in … }
    try services.register(Client.self, taking: Int.self, String.self) { id, name in Client() }
    // error: is unavailable: the closure receives the arguments and then the injector: { id, injector in … }
    try services.register(Client.self, taking: Int.self, lifetime: .scoped) { Client() }
    // error: type 'ArgumentsLifetime<Int>' has no member 'graph'
    try services.register(Client.self, taking: Int.self, lifetime: .graph) { _, _ in Client() }
    // error: type 'ArgumentsLifetime<Int>' has no member 'singleton'
    try services.register(Client.self, taking: Int.self, lifetime: .singleton) { _, _ in Client() }
  }
#endif
