import Plug

/// Payment with a card that somebody else has paid for.
struct GiftCardPayment: PaymentMethod {
  let name = "gift card"
}

extension Injector {
  /// Registers payment with gift cards, as a module of its own would: it adds a candidate, and no other has to know.
  func registerGiftCards() throws(InjectorError) {
    try register(
      as: (any PaymentMethod).self,
      injectable: .lazySingleton { GiftCardPayment() },
      when: Rule<Shopper>.feature("gift-cards"),
      id: "gift-card")
  }
}
