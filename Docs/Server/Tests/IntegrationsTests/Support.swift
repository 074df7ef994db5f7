import Plug
import PlugFlags
import Synchronization

protocol Search: Sendable {}
struct Catalogue: Search {}
struct Semantic: Search {}
struct Remote: Search {}

struct Shopper: ListedFlagContext {
  let id: String
  var country = "FR"

  static let flagAttributes = FlagAttributeList<Shopper>(targetingKey: \.id, [.init("country", \.country)])
}

extension Injector {
  /// An injector whose search depends on the country.
  static func shop() throws -> Injector {
    let services = Injector("shop")
    try services.register(
      PluginPoint<any Search, Shopper>("search") {
        Candidate("semantic") { Semantic() }.when(.equals(\.country, "DE"))
        Candidate("remote") { Remote() }.when(.equals(\.country, "NL") && .rollout(100, of: "remote", by: \.country))
      })
    try services.register((any Search).self, .factory { Catalogue() })
    return services
  }
}

/// Records events in order.
final class Events: Sendable {
  private let noted = Mutex<[String]>([])

  var all: [String] { noted.withLock { $0 } }

  func note(_ event: String) { noted.withLock { $0.append(event) } }
}
