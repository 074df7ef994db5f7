import Plug
import PlugOperations
import PlugTesting
import Synchronization
import TestSupport
import Testing

private struct Order: Sendable {
  let id: Int
}

private struct Receipt: Sendable {
  let order: Order
}

private struct Address: Sendable {}

private final class Visit: Sendable {
  let address: Address

  init(_ injector: Injector) throws {
    address = try injector.get()
  }
}

@MainActor private final class Screen {
  init(basket: Basket) {}
}

private struct Offline: Error, CustomStringConvertible {
  let description = "the network is down"
}

/// The instances that have been made.
private final class Log: Sendable {
  private let names = Mutex<[String]>([])
  var list: [String] { names.withLock { $0 } }

  func add<Made>(_ name: String, _ made: Made) -> Made {
    names.withLock { $0.append(name) }
    return made
  }
}

@Suite("Expecting an injector to be complete")
struct ExpectCompleteTests {
  private let made = Log()

  /// One of each kind.
  private func makeShop() throws -> Injector {
    let injector = Injector("shop")
    Shop.setUp(injector)
    try injector.register(injectable: .factory { [made] in made.add("factory", Order(id: 1)) })
    try injector.register(as: Address.self, injectable: .providedByScope)
    try injector.register(injectable: .scoped { [made] in made.add("scoped", try Visit($0)) })
    try injector.register(
      injectable: .lazySingleton { [made] injector in
        await Task.yield()
        return made.add("asynchronous", try await injector.load(Basket.self).payments.name)
      })
    try injector.register { @MainActor [made] in made.add("main actor", Screen(basket: try $0.get())) }
    try injector.register(Receipt.self, taking: Order.self, Int.self) { [made] order, _, injector in
      made.add("arguments of order \(order.id)", Receipt(order: try injector.get()))
    }
    return injector
  }

  private let everyone = [Shopper("ada", features: ["semantic", "beta"])]

  @Test("makes scoped and asynchronous services, and services that need arguments or the main actor")
  func complete() async throws {
    let injector = try makeShop()
    let scope = try injector.makeScope { try $0.register(injectable: .singleton(Address())) }
    #expect(await issues { await expectComplete(scope, in: everyone, with: [Order(id: 7), 8]) } == [])
    #expect(
      made.list.sorted() == ["arguments of order 7", "asynchronous", "factory", "factory", "main actor", "scoped"])
  }

  @Test("reports each failure once, at the service that caused it")
  func failures() async throws {
    let injector = Injector("broken")
    let line = #line + 1
    try injector.register(injectable: .lazySingleton { Basket(payments: try $0.get()) }, line: line)
    try injector.register(as: String.self) { try $0.get(Basket.self).payments.name }
    try injector.register(as: Double.self, injectable: .lazySingleton { try await $0.load(String.self) == "" ? 1 : 2 })
    try injector.register(as: Int.self, injectable: .factory { throw Offline() }, line: line)
    let texts = await issues { await expectComplete(injector) }
    let asked = try #require(texts.first?.split(separator: "\n").first { $0.contains("asked at") })
    #expect(
      texts == [
        """
        get((any Payments).self) failed: nothing is registered for Payments.
          service:        Payments
          injector:       broken
          chain:          Basket → Payments
        \(asked)
        To fix this:
          - Register it before you ask for it: \
        try Injector["broken"].register((any Payments).self, …).
        """,
        """
        Int could not be made: the network is down
          service:        Int
          injector:       broken/complete
          chain:          Int
          registered at:  \(#fileID):\(line)
        To fix this:
          - Check the factory, which threw Offline. The next get tries again.
        """,
      ])
  }

  @Test("uses the overrides of the test", .isolated)
  func overridden() async throws {
    let injector = Injector("broken")
    try injector.register { Basket(payments: try $0.get()) }
    try injector.seal()
    #expect(await issues { await expectComplete(injector) }.count == 1)
    try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
    #expect(await issues { await expectComplete(injector) } == [])
  }

  @Test("names the contexts and arguments that it needs to make the remaining services", .isolated)
  func omitted() async throws {
    let injector = try makeShop()
    try injector.contribute(
      Double.self, .factory { 1 }, when: Rule<Order>("is new") { $0.id == 1 }, id: "new")
    let scope = try injector.makeScope { try $0.register(injectable: .singleton(Address())) }
    #expect(
      await issues { await expectComplete(scope, in: [Shopper(features: ["semantic"])], with: [3]) } == [
        """
        2 registrations were not made:
          Receipt(Order, Int): no Order was given
          Search [voice]: its rules are not satisfied
        To fix this:
          - Pass the missing values: contexts that satisfy the rules in: […], arguments with: […].
          - Or disable the candidates that the test leaves out: disable("…", at: "…").
        """
      ])
    try scope.disable("voice", at: "search")
    #expect(
      await issues { await expectComplete(scope, in: [Shopper(features: ["semantic"])], with: [3, Order(id: 1)]) } == []
    )
  }

  @Test("uses the registered context for points if the caller gives none")
  func registeredContext() async throws {
    let injector = try Injector.shop()
    #expect(
      await issues { await expectComplete(injector) } == [
        """
        3 registrations were not made:
          Search [voice]: no Shopper was given
          Search [semantic]: no Shopper was given
          Search [catalogue]: no Shopper was given
        To fix this:
          - Pass the missing values: contexts that satisfy the rules in: […], arguments with: […].
          - Or disable the candidates that the test leaves out: disable("…", at: "…").
        """
      ])
    try injector.register(injectable: .singleton(Shopper(features: ["semantic", "beta"])))
    #expect(await issues { await expectComplete(injector) } == [])
  }

  @Test("reports a service that each scope has to register, and a closed injector")
  func scopes() async throws {
    let injector = Injector("shop")
    try injector.register(as: Address.self, injectable: .providedByScope, line: 1)
    try injector.register(injectable: .scoped { try Visit($0) })
    let texts = await issues { await expectComplete(injector) }
    #expect(
      texts.map { $0.split(separator: "\n").first } == [
        "get(Address.self) failed: each scope registers its own Address, and this one has not."
      ])
    #expect(await issues { await expectComplete(injector, in: [Address(), Address()]) } == [])
    injector.closeNow()
    #expect(
      await issues { await expectComplete(injector) }.map { $0.split(separator: "\n").first } == [
        "Nothing can be resolved or registered: the injector is closed."
      ])
  }
}
