/// A way to pay that is offered at the checkout.
protocol PaymentMethod: Sendable {
  var name: String { get }
}
