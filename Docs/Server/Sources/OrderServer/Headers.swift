import HTTPTypes
import PlugKeys

/// The headers of the request that a scope serves.
enum Headers: Property {
  static var defaultValue: HTTPFields { [:] }
}
