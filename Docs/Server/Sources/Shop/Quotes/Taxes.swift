/// The taxes in the shopper's country.
package struct Taxes: Sendable {
  /// The rate, in percent.
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

  /// Returns the tax on a price, both in cents.
  func tax(on price: Int) -> Int { price * rate / 100 }
}
