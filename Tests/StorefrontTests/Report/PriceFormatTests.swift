import Testing

@testable import storefront

@Suite("PriceFormat")
struct PriceFormatTests {
  @Test(
    "Cents have two digits",
    arguments: [(0, "0.00 EUR"), (7, "0.07 EUR"), (60, "0.60 EUR"), (4_90, "4.90 EUR"), (1_234_05, "1234.05 EUR")])
  func euros(_ cents: Int, _ text: String) {
    #expect(EuroFormat().text(cents: cents) == text)
  }
}
