import Dispatch
import Plug
import PlugKeys
import PlugTesting
import Synchronization
import Testing

/// An injector whose initializer waits, half way, until another test has reached it by its name.
private enum Half {
  static let isHalf = DispatchSemaphore(value: 0)
  static let isReached = DispatchSemaphore(value: 0)

  static let point = PluginPoint<any Search, Shopper>("searches") {
    Candidate("first") { NamedSearch(name: "first") }
  }

  static let (injector, basket): (Injector, Basket?) = {
    let injector = Injector("isolation.half")
    do {
      try injector.register(injectable: .singleton(Shopper("early")))
      try injector.register(injectable: .singleton(FakePayments("early")))
      try injector.register(point)
      isHalf.signal()
      isReached.wait()
      try injector.register(as: (any Payments).self, injectable: .singleton(FakePayments("late")))
      try injector.register(injectable: .lazySingleton { Basket(payments: try $0.get()) })
      try injector.contribute(
        (any Search).self, .singleton(NamedSearch(name: "second")), when: Rule<Shopper>.always,
        id: "second",
        priority: 1)
      injector[Theme.self] = "late"
      let basket = try injector.get(Basket.self)
      try injector.seal()
      return (injector, basket)
    } catch {
      fatalError("\(error)")
    }
  }()
}

@Suite("An injector that one test sets up while another test has a copy", .timeLimit(.minutes(10)))
struct SetUpInTestsTests {
  @Test("The copy gets the injector's later registrations, and keeps the changes of its own test")
  func copies() async throws {
    let isSetUp = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    let failures = Mutex<[any Error]>([])
    DispatchQueue(label: "first").async {
      withIsolatedInjectors { #expect(Half.basket?.payments.name == "late") }
      isSetUp.signal()
    }
    DispatchQueue(label: "second").async {
      do {
        try withIsolatedInjectors {
          Half.isHalf.wait()
          let named = Injector["isolation.half"]
          #expect(try named.get(Shopper.self).id == "early")
          try named.unregister(FakePayments.self)
          #expect(!named.isRegistered((any Payments).self))
          Half.isReached.signal()
          isSetUp.wait()
          let basket = try named.get(Basket.self)
          #expect(basket.payments.name == "late" && basket !== Half.basket)
          #expect(try Half.injector.get(Basket.self) === basket)
          #expect(try named.get((any Search).self, in: Shopper()).name == "second")
          #expect(named[Theme.self] == "late")
          #expect(throws: InjectorError.self) { try named.get(FakePayments.self) }
        }
      } catch {
        failures.withLock { $0.append(error) }
      }
      isDone.signal()
    }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "end").async {
        isDone.wait()
        continuation.resume()
      }
    }
    #expect(failures.withLock { $0 }.isEmpty)
  }
}
