/// A payment method offered at the checkout.
protocol PaymentMethod: Sendable {
  var name: String { get }
}
