/// How far away a country is, for carriers and customs.
enum Zone: Sendable {
  case domestic
  case customsUnion
  case world

  /// The countries that goods reach without customs, some of them.
  static let countriesWithoutCustoms: Set = ["AT", "DE", "FR", "IT", "NL", "PL"]
}

/// Knows the zone of each country.
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
