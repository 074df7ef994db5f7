import Plug

/// Orders at once, with the address and the payment of the last order.
struct OneClickCheckout: Checkout {
  let name = "one-click"
  let pages = ["confirmation"]
}

extension Injector {
  /// Registers the checkout with one click, as a module of its own would: it adds a candidate, and no other has to
  /// know.
  func registerOneClick() throws(InjectorError) {
    try register(
      as: (any Checkout).self,
      injectable: .lazySingleton { OneClickCheckout() },
      when: .feature("one-click") && .redesigned,
      id: "one-click")
  }
}
