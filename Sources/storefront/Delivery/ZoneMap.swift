/// The distance of a country, for carriers and customs.
enum Zone: Sendable {
  case domestic
  case customsUnion
  case world

  /// Some of the countries that goods reach without customs.
  static let countriesWithoutCustoms: Set = ["AT", "DE", "FR", "IT", "NL", "PL"]
}

/// A map of countries to zones.
protocol ZoneMap: Sendable {
  func zone(of country: String) -> Zone
}

/// The zones as seen from a warehouse.
struct WarehouseZoneMap: ZoneMap {
  let warehouse: String

  func zone(of country: String) -> Zone {
    if country == warehouse { return .domestic }
    return Zone.countriesWithoutCustoms.contains(country) ? .customsUnion : .world
  }
}
