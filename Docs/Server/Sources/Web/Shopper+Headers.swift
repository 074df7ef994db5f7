package import HTTPTypes
import Hummingbird
import Plug
import PlugKeys
package import Shop

extension Shopper {
  /// Reads the shopper from the headers of a request.
  ///
  /// In your own shop, a proxy that has checked a token sets the headers.
  package init(_ headers: HTTPFields) throws {
    self.init(
      id: headers.value(of: .shopperID) ?? "guest",
      country: headers.value(of: .country),
      appVersion: try headers.parse(.appVersion, SemanticVersion.init),
      tier: try headers.parse(.tier, Tier.init(rawValue:)) ?? .standard)
  }
}

extension HTTPFields {
  fileprivate func value(of name: HTTPField.Name?) -> String? {
    name.flatMap { self[$0] }
  }

  fileprivate func parse<Value>(_ name: HTTPField.Name?, _ parse: (String) -> Value?) throws -> Value? {
    guard let name, let text = self[name] else { return nil }
    guard let value = parse(text) else { throw HTTPError(.badRequest, message: "\(name) is malformed.") }
    return value
  }
}

extension HTTPField.Name? {
  fileprivate static let shopperID = HTTPField.Name("Shopper-ID")
  fileprivate static let country = HTTPField.Name("Country")
  fileprivate static let appVersion = HTTPField.Name("App-Version")
  fileprivate static let tier = HTTPField.Name("Tier")
}
