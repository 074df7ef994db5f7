/// The format of prices.
protocol PriceFormat: Sendable {
  func text(cents: Int) -> String
}

/// Writes prices in euros: `4.90 EUR`.
struct EuroFormat: PriceFormat {
  func text(cents: Int) -> String {
    let (euros, rest) = cents.quotientAndRemainder(dividingBy: 100)
    return "\(euros)." + (rest < 10 ? "0\(rest)" : "\(rest)") + " EUR"
  }
}
