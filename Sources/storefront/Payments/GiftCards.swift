import Plug
import PlugFlags
import PlugKeys

/// Payment with a prepaid card.
struct GiftCardPayment: PaymentMethod {
  let name = "gift card"
}

extension Injector {
  /// Registers payment with gift cards as a separate module would: it adds a candidate, and no other code changes. The
  /// web site does not take them, and the flag document can suspend them.
  func registerGiftCards() throws(InjectorError) {
    try contribute(
      (any PaymentMethod).self,
      .lazySingleton { GiftCardPayment() }.metadata(Summary(text: "A prepaid card.")),
      when: Rule<Shopper>.feature("gift-cards") && .flag("gift-cards", is: "accepted")
        && !.selected("web", at: "checkout"),
      id: "gift-card")
  }
}
