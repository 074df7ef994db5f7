import GRDB
import PlugServiceLifecycle
import ServiceLifecycle
import Shop
import Synchronization

/// The services that the requests share.
final class Services: Sendable {
  private struct State {
    var phase = Phase.starting
    var promotion = PromotionStage.off
    var database: DatabasePool?
  }

  private let state = Mutex(State())

  let promotionPricing = PromotionPricing()
  let listPricing = ListPricing()
  let courierShipping = CourierShipping()
  let freeShipping = FreeShipping()
  let parcelShipping = ParcelShipping()
  let invoicePayment = InvoicePayment()
  let walletPayment = WalletPayment()
  let cardPayment = CardPayment()

  var phase: Phase { state.withLock { $0.phase } }

  var promotion: PromotionStage {
    get { state.withLock { $0.promotion } }
    set { state.withLock { $0.promotion = newValue } }
  }

  var database: DatabasePool? { state.withLock { $0.database } }

  func started(_ database: DatabasePool) {
    state.withLock {
      $0.database = database
      $0.phase = .serving
    }
  }

  func drain() {
    state.withLock { $0.phase = .draining }
  }
}

/// Opens the database, and closes it when the server has stopped.
struct DatabaseService: Service {
  let services: Services
  let path: String

  func run() async throws {
    let database = try await DatabasePool.shop(at: path)
    services.started(database)
    try? await gracefulShutdown()
    try database.close()
  }
}

/// Reports at `/health` that the server will stop.
struct DrainService: Service {
  let services: Services

  func run() async throws {
    try await gracefulShutdown()
    services.drain()
  }
}
