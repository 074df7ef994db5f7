import GRDB
import Logging
package import Plug
import Shop
import Web

extension Injector {
  /// Registers all services of the server.
  ///
  /// - Parameter path: The file of the database.
  package func registerShop(databaseAt path: String) throws(InjectorError) {
    try register(
      .lazySingleton { try await DatabasePool.shop(at: path) }
        .onClose { try $0.close() })
    try registerRequests()
    try registerPricing()
    try registerShipping()
    try registerPayment()
  }

  /// Registers the services that each request has for itself.
  private func registerRequests() throws(InjectorError) {
    try register(.scoped { try Shopper($0[Headers.self]) }.dependsOnNothing)
    try register(.scoped(wiring: Logger.request(of:)))
    try register(.scoped(wiring: UnitOfWork.init).onClose { $0.close() })
    try register(.scoped(wiring: Products.init))
    try register(.scoped(wiring: Orders.init))
    try register(.scoped(wiring: Taxes.init))
    try register(.scoped(wiring: QuoteDesk.init))
    try register(.scoped(wiring: Checkout.init))
  }
}
