import GRDB
import HTTPTypes
import Hummingbird
import Logging
import Shop
import Web

/// The services of one request: the same objects as in its scope.
struct RequestServices {
  private let services: Services
  private let headers: HTTPFields

  let database: DatabasePool

  init(services: Services, headers: HTTPFields) throws {
    guard let database = services.database else { throw HTTPError(.serviceUnavailable) }
    self.services = services
    self.headers = headers
    self.database = database
  }

  func makeDesk() throws -> QuoteDesk {
    let shopper = try Shopper(headers)
    return makeDesk(for: shopper, logger: .request(of: shopper))
  }

  func makeCheckout() throws -> (Checkout, UnitOfWork) {
    let shopper = try Shopper(headers)
    let logger = Logger.request(of: shopper)
    let unitOfWork = UnitOfWork(database: database, logger: logger)
    let checkout = Checkout(
      shopper: shopper, desk: makeDesk(for: shopper, logger: logger), payment: services.payment(for: shopper),
      orders: Orders(database: database, unitOfWork: unitOfWork), unitOfWork: unitOfWork, logger: logger)
    return (checkout, unitOfWork)
  }

  private func makeDesk(for shopper: Shopper, logger: Logger) -> QuoteDesk {
    QuoteDesk(
      products: Products(database: database), pricing: services.pricing(for: shopper),
      shipping: services.shipping(for: shopper), taxes: Taxes(shopper: shopper), logger: logger)
  }
}
