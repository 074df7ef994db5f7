package import Logging

/// Places the order of the shopper of a request.
package struct Checkout: Sendable {
  private let shopper: Shopper
  private let desk: QuoteDesk
  private let payment: any Payment
  private let orders: Orders
  private let unitOfWork: UnitOfWork
  private let logger: Logger

  package init(
    shopper: Shopper, desk: QuoteDesk, payment: any Payment, orders: Orders, unitOfWork: UnitOfWork, logger: Logger
  ) {
    self.shopper = shopper
    self.desk = desk
    self.payment = payment
    self.orders = orders
    self.unitOfWork = unitOfWork
    self.logger = logger
  }

  /// Places an order, and returns after the commit: a response never promises an order that the database lacks.
  package func order(_ id: String, product: Int64, quantity: Int) async throws -> Order {
    let quote = try await desk.quote(product, quantity: quantity)
    let order = Order(
      id: id, shopper: shopper.id, product: product, quantity: quantity, total: quote.total, payment: payment.name)
    try orders.add(order)
    try await unitOfWork.commit()
    logger.info("ordered", metadata: ["order": "\(id)"])
    return order
  }
}
