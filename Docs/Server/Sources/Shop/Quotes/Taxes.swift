/// The taxes where a shopper lives.
package struct Taxes: Sendable {
  /// In percent.
  private let rate: Int

  package init(shopper: Shopper) {
    rate =
      switch shopper.country {
      case "DE": 19
      case "FR": 20
      case "NL": 21
      default: 0
      }
  }

  /// The tax on a price in cents, in cents.
  func tax(on price: Int) -> Int { price * rate / 100 }
}
