import Plug
import PlugFlags
import PlugKeys

extension Shopper: ListedFlagContext {
  /// The attributes of a shopper that a flag document can use.
  static let flagAttributes = FlagAttributeList<Shopper>(
    targetingKey: \.id,
    [
      .init("country", \.country),
      .init("tier", \.tier),
      .init("appVersion", \.appVersion.description),
      .init("features", \.features),
      .init("basket", \.basket),
    ])
}

extension Tier: FlagValueConvertible {}

extension Basket: FlagValueConvertible {
  /// The amounts, with the names that they have in a shopper file.
  var flagValue: FlagValue? {
    ["totalInCents": .number(Double(totalInCents)), "weightInGrams": .number(Double(weightInGrams))]
  }
}
