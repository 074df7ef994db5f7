// Likely mistakes in tests: the error says what to write. PlugTesting is the only import that a test needs.
import PlugTesting

protocol Search: Sendable {}
struct WebSearch: Search {}

struct User: Sendable {
  let name: String
}

func prepare(_ services: Injector) throws {
  try services.override(User.self, .singleton(User(name: "Ada")))
  try services.override((any Search).self) { WebSearch() }
}

#if REFUSED
  func refuse(in services: Injector) throws {
    // error: is unavailable: state how the instance lives: override(User.self, .singleton(user))
    try services.override(User.self, User(name: "Ada"))
    // error: is unavailable: state how the instance lives: override(User.self, .singleton(user))
    try services.override((any Search).self, WebSearch())
    // error: 'override' is unavailable: import PlugTesting, or correct the arguments
    try services.override(User.self, named: "Ada")
  }
#endif
