import Plug
import PlugKeys

/// A checkout that orders immediately, with the address and the payment of the last order.
struct OneClickCheckout: Checkout {
  let name = "one-click"
  let pages = ["confirmation"]
}

extension Injector {
  /// Registers the one-click checkout as a separate module would: it adds a candidate, and no other code changes.
  func registerOneClick() throws(InjectorError) {
    try contribute(
      (any Checkout).self,
      .lazySingleton { OneClickCheckout() }.metadata(Summary(text: "The last address and payment.")),
      when: .feature("one-click") && .redesigned,
      id: "one-click",
      priority: 10)
  }
}
