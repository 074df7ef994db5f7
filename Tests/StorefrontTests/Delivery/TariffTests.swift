import Testing

@testable import storefront

@Suite("Tariff")
struct TariffTests {
  @Test(
    "The first kilogram has one price, and each further kilogram begun another",
    arguments: [(0, 4_90), (1, 4_90), (1_000, 4_90), (1_001, 5_40), (2_000, 5_40), (2_001, 5_90)])
  func kilograms(_ weightInGrams: Int, _ cents: Int) {
    #expect(price(weightInGrams: weightInGrams, to: "DE") == cents)
  }

  @Test("Far is dearer", arguments: [("DE", 6_90), ("FR", 13_70), ("JP", 43_90)])
  func zones(_ country: String, _ cents: Int) {
    #expect(price(weightInGrams: 4_500, to: country) == cents)
  }

  private func price(weightInGrams: Int, to country: String) -> Int {
    Tariff(zones: WarehouseZoneMap(warehouse: "DE"))
      .cents(for: Basket(totalInCents: 0, weightInGrams: weightInGrams), to: country)
  }
}
