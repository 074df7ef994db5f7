import Plug
import PlugKeys

/// Who is logged in.
package struct Shopper: FeatureContext, Identifiable, Hashable {
  package let id: String
  package let enabledFeatures: Set<String>

  package init(id: String, enabledFeatures: Set<String> = []) {
    self.id = id
    self.enabledFeatures = enabledFeatures
  }
}

/// The currency in which the user sees prices.
package enum Currency: Property {
  package static var defaultValue: String { "EUR" }
}

nonisolated extension Rule where Context == Shopper {
  package static var isMember: Self { .feature("member") }
}
