import Foundation
import Observation
import Plug
import PlugKeys
import PlugTesting
import Synchronization
import Testing

private protocol Payments: Sendable { var name: String { get } }
private struct CardPayments: Payments { let name = "card" }
private struct LoggedPayments: Payments {
  let inner: any Payments
  init(_ inner: any Payments) { self.inner = inner }
  var name: String { "logged \(inner.name)" }
}

private final class Account: Sendable {}
private final class Catalogue: Sendable {}

@globalActor private actor StorageActor { static let shared = StorageActor() }
@StorageActor private final class Storage {}

private struct Receipt: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Page: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private struct AccountPage: Sendable {
  @Injected var account: Account

  init(in session: Injector) {
    _account = Injected(\.account, injector: session)
  }
}

/// Asks the injector of the name, which is no scope.
private struct LostPage: Sendable {
  @Injected(\.account, in: .shop) var account
}

@MainActor @Observable
private final class Model {
  @ObservationIgnored @Injected(\.payments, in: .shop) var payments
  var title = ""
}

private final class Journal: Sendable {
  private let entries = Mutex<[String]>([])

  var lines: [String] { entries.withLock { $0 } }
  func add(_ line: String) { entries.withLock { $0.append(line) } }
}

@MainActor @Observable
private final class CartModel {
  var count = 0
}

private struct Analytics: Sendable {
  var track: @Sendable (_ event: String) -> Void
}

/// Keeps a formatter, which is not `Sendable`, behind a lock.
private final class PriceFormat: Sendable {
  private let formatter = Mutex(NumberFormatter())

  func text(_ cents: Int) -> String {
    formatter.withLock {
      $0.minimumFractionDigits = 2
      return $0.string(from: Double(cents) / 100 as NSNumber) ?? ""
    }
  }
}

private actor Orders {
  private(set) var count = 0

  func add() { count += 1 }
}

private protocol AccountLoading: Sendable { var owner: String { get } }
private struct Accounts: AccountLoading { let owner = "ada" }
private struct NobodyIsSignedIn: Error {}
private enum User: Property { static var defaultValue: String? { nil } }

nonisolated extension Injector.Name {
  fileprivate static let shop: Self = "shop on the corner"
}

nonisolated extension Injector {
  fileprivate var payments: Provider<any Payments> { provide(.lazySingleton { LoggedPayments(CardPayments()) }) }
  fileprivate var stagedPayments: Provider<any Payments> {
    provide(
      .lazySingleton { $0[Stage.self] == .production ? CardPayments() : LoggedPayments(CardPayments()) as any Payments }
    )
  }
  fileprivate var receipt: Provider<Receipt, Int> { provide { number, _ in Receipt(number) } }
  fileprivate var page: Provider<Page, Int> {
    provide(lifetime: .lazySingleton) { number, _ in Page(number) }
  }
  fileprivate var account: Provider<Account> { provide(.scoped { Account() }) }
  fileprivate var accountPage: Provider<AccountPage> {
    provide(.factory { AccountPage(in: $0) })
  }
  fileprivate var cartModel: MainActorProvider<CartModel> { provide(.factory { @MainActor in CartModel() }) }
  fileprivate var storage: Provider<Storage> { provide(.lazySingleton { @StorageActor in Storage() }) }
  fileprivate var journal: Provider<Journal> {
    provide(
      .lazySingleton { Journal() }.configure { journal, _ in journal.add("opened") }.onClose { $0.add("closed") })
  }
  fileprivate var optionalAccounts: Provider<(any AccountLoading)?> {
    provide(.lazySingleton { $0[User.self] == nil ? nil : Accounts() })
  }
  fileprivate var accounts: Provider<any AccountLoading> {
    provide(
      .lazySingleton {
        guard $0[User.self] != nil else { throw NobodyIsSignedIn() }
        return Accounts()
      })
  }
}

extension InjectorError {
  fileprivate var headline: String { String(description.prefix { $0 != "\n" }) }
}

@Suite(.isolated) struct CatalogueTests {
  @Test func theCatalogueIsRegistered() throws {
    try Injector.default.register { Catalogue() }
    #expect(Injector.default[Catalogue.self] != nil)
  }
}

@Suite("What differs from Factory", .serialized)
struct FromFactoryDifferencesTests {
  private let injector = Injector()

  @Test("services of each kind are Sendable and can be registered")
  func kinds() async throws {
    let journal = Journal()
    try injector.register(.singleton(journal))
    try injector.register { Analytics { journal.add($0) } }
    try injector.register { PriceFormat() }
    try injector.register { Orders() }
    try injector.get(Analytics.self).track("opened")
    await injector.resolve(Orders.self).add()
    #expect(try injector.get(Journal.self).lines == ["opened"])
    #expect(try injector.get(PriceFormat.self).text(1250).filter(\.isNumber) == "1250")
    #expect(await injector.resolve(Orders.self).count == 1)
    #expect(try await injector.cartModel.load().count == 0)
  }

  @Test("onTest and onPreview are a look at the stage in the closure of a provider")
  func stages() {
    #expect(injector.stagedPayments().name == "logged card")
    let live = Injector()
    live[Stage.self] = .production
    #expect(live.stagedPayments().name == "card")
  }

  @Test("a provider is wrapped in its declaration, and decorate wraps no provider")
  func wrapping() throws {
    #expect(injector.payments().name == "logged card")
    try injector.decorate((any Payments).self) { inner, _ in LoggedPayments(inner) }
    #expect(injector.payments().name == "logged card")
    try injector.register((any Payments).self, .lazySingleton { CardPayments() })
    #expect(try injector.get((any Payments).self).name == "logged card")
  }

  @Test("a test that registers in the default injector has it to itself if it is isolated", .isolated, arguments: 0..<2)
  func defaultInjector(round: Int) throws {
    try Injector.default.register { Catalogue() }
    let error = #expect(throws: InjectorError.self) { try Injector.default.register { Catalogue() } }
    #expect(error?.headline == "register(Catalogue.self) was refused: Catalogue is already registered.")
  }

  @Test("a session is found by an owner that it has made or was handed to, and not through the name of its injector")
  func sessions() throws {
    let shop = Injector(.shop)
    let session = shop.makeScope("session")
    let page = session.accountPage()
    #expect(page.account === session.account())
    #expect(AccountPage(in: session).account === session.account())
    let lost = LostPage()
    let error = #expect(throws: InjectorError.self) { try lost.$account.get() }
    #expect(
      error?.headline
        == "injector.account() failed: \\.account has one instance per scope, and this injector is not one.")
  }

  @Test("an override replaces the lifetime, the configuration and onClose, and closes the instance")
  func overriding() throws {
    let old = injector.journal()
    // New each time, and not configured:
    try injector.journal.override(.factory { Journal() })
    #expect(old.lines == ["opened", "closed"])
    let (first, second) = (injector.journal(), injector.journal())
    #expect(first !== second && first.lines.isEmpty && second.lines.isEmpty)
  }

  @Test("a nil is kept, and a factory that throws is asked again")
  func absence() throws {
    #expect(injector.optionalAccounts() == nil && (try? injector.accounts.get()) == nil)
    injector[User.self] = "ada"
    let found = try? injector.accounts.get()
    #expect(injector.optionalAccounts() == nil && found?.owner == "ada")
  }

  @Test("a ParameterFactory is a provider with arguments, and scopeOnParameters is its lifetime")
  func arguments() {
    #expect(injector.receipt(42).number == 42)
    #expect(injector.page(1) === injector.page(1) && injector.page(1) !== injector.page(2))
    #expect(injector.page(2).number == 2)
  }

  @Test("a declaration is read once, so that an override needs no once()")
  func once() throws {
    try injector.payments.override(.singleton(CardPayments()))
    #expect(injector.payments().name == "card" && injector.payments().name == "card")
  }

  @Test("dependency() is a call of the provider of an injector that is found by its name")
  func dependency() {
    let shop = Injector(.shop)
    #expect(Injector[.shop].payments().name == "logged card")
    withExtendedLifetime(shop) {}
  }

  @Test("resolveOnMainActor and resolveOnGlobalActor are load, from anywhere")
  func actors() async throws {
    let injector = injector
    try await Task.detached {
      let (first, second) = try await (injector.cartModel.load(), injector.cartModel.load())
      #expect(first !== second)
      let storage = try await injector.storage.load()
      #expect(try await injector.storage.load() === storage)
    }.value
  }

  @Test("an injected property of an observable class is excluded from observation, as there")
  @MainActor
  func observable() {
    let shop = Injector(.shop)
    let model = Model()
    #expect(model.payments.name == "logged card" && model.title.isEmpty)
    withExtendedLifetime(shop) {}
  }
}
