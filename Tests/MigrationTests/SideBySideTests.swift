import Plug
import PlugTesting
import Synchronization
import Testing

private protocol Payments: Sendable { var name: String { get } }
private struct Card: Payments { let name = "card" }
private struct Wallet: Payments { let name = "wallet" }
private struct Fake: Payments { let name = "fake" }

private struct Shopper: Sendable { let country: String }

private final class Transaction: Sendable {
  private let commits = Mutex(0)

  func commit() throws -> Int {
    commits.withLock {
      $0 += 1
      return $0
    }
  }
}

private struct Checkout { @Injected var payments: any Payments }

extension Injector.Name { fileprivate static let feed: Self = "feed" }
private struct FeedScreen { @Injected(.feed) var payments: any Payments }

@Suite("The page Six tasks side by side", .isolated)
struct SideBySideTests {
  @Test("A service is registered and got")
  func registering() throws {
    try Injector.default.register((any Payments).self) { Card() }
    let payments = try Injector.default.get((any Payments).self)
    #expect(payments.name == "card")
    #expect(Checkout().payments.name == "card")
  }

  @Test("A rule chooses one of two", arguments: [("DE", "wallet"), ("FR", "card")])
  func choosing(country: String, name: String) throws {
    let shopper = Shopper(country: country)
    try Injector.default.register(
      PluginPoint<any Payments, Shopper>("payments") {
        Candidate("wallet") { Wallet() }.when(.equals(\.country, "DE"))
        Candidate("card") { Card() }
      })
    let payments = try Injector.default.get((any Payments).self, in: shopper)
    #expect(payments.name == name)
  }

  @Test("Each request has its own transaction")
  func scoping() async throws {
    try Injector.default.register(.scoped { Transaction() })
    func handle() async throws -> Int {
      try await Injector.default.withScope("request") { scope in
        try scope.get(Transaction.self).commit()
      }
    }
    #expect(try await [handle(), handle()] == [1, 1])
  }

  @Test("A feature has its own services until it closes")
  func environment() throws {
    try Injector.default.register((any Payments).self) { Card() }
    let feed = try Injector.default.makeScope(.feed) {
      try $0.register((any Payments).self) { Wallet() }
    }
    #expect(FeedScreen().payments.name == "wallet" && Checkout().payments.name == "card")
    feed.closeNow()
    #expect(Injector[.feed] !== feed)
  }

  @Test(.isolated { _ in try Injector.default.override((any Payments).self) { Fake() } })
  func theFakeIsCharged() {
    #expect(Checkout().payments.name == "fake")
  }
}
