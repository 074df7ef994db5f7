import Plug
import PlugKeys
import Shop

/// The stage of the promotion. `PUT /promotion` changes it while requests run.
enum CurrentPromotion: Property {
  static var defaultValue: PromotionStage { .off }
}

extension Injector {
  // The stage of the promotion is a property. The rules of a point whose context is the injector can read it.
  func registerPricing() throws(InjectorError) {
    try register(
      PluginPoint<any Pricing, Injector>("pricing") {
        Candidate("promotion") { PromotionPricing() }.when(.promoted)
        Candidate("member", .scoped(wiring: MemberPricing.init)).when(.shopper(.member))
        Candidate("list") { ListPricing() }
      })
  }

  func registerShipping() throws(InjectorError) {
    try register(
      PluginPoint<any Shipping, Shopper>("shipping") {
        Candidate("courier") { CourierShipping() }
          .when(.atLeast(\.appVersion, "3.0.0") && .oneOf(\.country, ["DE", "NL"]))
        Candidate("free") { FreeShipping() }.when(.member)
        Candidate("parcel") { ParcelShipping() }
      })
  }

  func registerPayment() throws(InjectorError) {
    try register(
      PluginPoint<any Payment, Shopper>("payment") {
        Candidate("invoice") { InvoicePayment() }.when(.member && .oneOf(\.country, ["AT", "DE"]))
        Candidate("wallet") { WalletPayment() }.when(.atLeast(\.appVersion, "2.4.0"))
        Candidate("card") { CardPayment() }
      })
  }
}

extension Rule where Context == Shopper {
  fileprivate static var member: Self { .oneOf(\.tier, [.gold, .platinum]) }
}

extension Rule where Context == Injector {
  /// A rule about the shopper whose request the injector serves.
  fileprivate static func shopper(_ rule: Rule<Shopper>) -> Self {
    rule.pullback { try $0.get(Shopper.self) }
  }

  fileprivate static var promoted: Self {
    .property(CurrentPromotion.self, .everyone)
      || .property(CurrentPromotion.self, .trial) && .shopper(.rollout(25, of: "promotion", by: \.id))
  }
}
