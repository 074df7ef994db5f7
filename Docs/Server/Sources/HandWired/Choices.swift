import Plug
import PlugKeys
import Shop

// The rules of the points, written as `if`s.
extension Services {
  func pricing(for shopper: Shopper) -> any Pricing {
    let promotion = promotion
    if promotion == .everyone { return promotionPricing }
    if promotion == .trial, isInTrial(shopper) { return promotionPricing }
    if isMember(shopper) { return MemberPricing(shopper: shopper) }
    return listPricing
  }

  func shipping(for shopper: Shopper) -> any Shipping {
    if let version = shopper.appVersion, version >= .courier, shopper.country == "DE" || shopper.country == "NL" {
      return courierShipping
    }
    return isMember(shopper) ? freeShipping : parcelShipping
  }

  func payment(for shopper: Shopper) -> any Payment {
    if isMember(shopper), shopper.country == "AT" || shopper.country == "DE" { return invoicePayment }
    if let version = shopper.appVersion, version >= .wallet { return walletPayment }
    return cardPayment
  }

  private func isMember(_ shopper: Shopper) -> Bool {
    shopper.tier == .gold || shopper.tier == .platinum
  }

  private func isInTrial(_ shopper: Shopper) -> Bool {
    // FNV-1a: a share of the shoppers, although not the same shoppers that the rule picks.
    let hash = "promotion:\(shopper.id)".utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return hash % 100 < 25
  }
}

extension SemanticVersion {
  fileprivate static let courier = SemanticVersion(3, 0, 0)
  fileprivate static let wallet = SemanticVersion(2, 4, 0)
}
