// A forgotten import: the error names it. With the import, the real declarations are used.
import Plug

#if !REFUSED
  import PlugKeys
  import PlugOperations
#endif

protocol Search: Sendable {}
struct WebSearch: Search {}

func operate(_ services: Injector) throws {
  // error: 'graph' is unavailable: import PlugOperations
  _ = try services.graph()
  // error: 'audit' is unavailable: import PlugOperations
  _ = services.audit()
  // error: 'report' is unavailable: import PlugOperations
  _ = services.report()
  // error: 'disable' is unavailable: import PlugOperations or PlugTesting, or correct the arguments
  try services.disable("semantic", at: "search", because: "INC-7")
  // error: 'candidates' is unavailable: import PlugKeys
  _ = try services.candidates(of: (any Search).self)
}

// error: 'Property' is unavailable: import PlugKeys
enum Theme: Property {
  static var defaultValue: String { "light" }
}

// error: 'SemanticVersion' is unavailable: import PlugKeys
func support(_ version: SemanticVersion) {}

#if REFUSED
  func test(_ services: Injector) throws {
    // error: 'override' is unavailable: import PlugTesting, or correct the arguments
    try services.override((any Search).self) { WebSearch() }
    // error: 'force' is unavailable: import PlugOperations or PlugTesting, or correct the arguments
    try services.force("web", at: "search")
    // error: 'observe' is unavailable: import PlugKeys, or correct the arguments
    _ = services.observe(Theme.self) { print($0) }
    // error: 'onSelection' is unavailable: import PlugOperations, or correct the arguments
    services.onSelection(of: (any Search).self) { print($0) }
  }
#endif
