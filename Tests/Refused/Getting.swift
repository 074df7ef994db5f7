// Likely mistakes with requests: the error names the mistake, and what to write.
import Plug
import PlugKeys

protocol Search: Sendable {}
struct Shopper: Sendable {}
final class Draft {}

enum Theme: Property { static var defaultValue: String { "light" } }

extension Injector {
  var label: Provider<String, Int, Bool> { provide { number, isLoud, _ in "\(number)\(isLoud)" } }
}

struct Screen {
  @Injected(.services) var search: any Search
}

extension Injector.Name {
  static let services: Self = "services"
}

func get(from services: Injector, called name: String) async throws {
  let optional: (any Search)? = try services.get()
  _ = try (optional, services.get((any Search).self, tag: Injector.Tag(rawValue: name)), await services.load(Int.self))
  services[Theme.self] = "dark"
  _ = services.label(1, true)
}

#if REFUSED
  struct RefusedScreen {
    // error: is unavailable: an injected property needs a type: @Injected(.services) var search: any Search
    @Injected(.services) var search
    // error: is unavailable: an injected property needs a type: @Injected(.services) var search: any Search
    @Injected var other
    // error: type 'Draft' does not conform to the 'Sendable' protocol
    @Injected(.services) var draft: Draft
  }

  func refuse(from services: Injector, called name: String) async throws {
    // error: type 'Draft' does not conform to the 'Sendable' protocol
    _ = try services.get(Draft.self)
    // error: cannot convert value of type 'String' to expected argument type 'Injector.Tag'
    _ = try services.get((any Search).self, tag: name)
    // error: missing argument for parameter 'with' in call
    _ = try services.get((any Search).self, Shopper())
    // error: expression is 'async' but is not marked with 'await'
    _ = try services.load(Int.self)
  }

  func refuseWithoutEffects(from services: Injector) {
    // error: call can throw, but it is not marked with 'try' and the error is not handled
    _ = services.get(Int.self)
    // error: 'async' call in a function that does not support concurrency
    _ = try? services.load(Int.self)
  }

  func refuseValues(from services: Injector) throws {
    // error: is unavailable: the value of a property has the type of its defaultValue
    services[Theme.self] = 3
    // error: is unavailable: the value of a property has the type of its defaultValue
    let number: Int = services[Theme.self]
    // error: cannot convert value of type 'Int' to expected argument type 'String'
    try services.set(Theme.self, to: 3)
    _ = number
  }

  func refuseArguments(from services: Injector) throws {
    // error: cannot convert value of type 'String' to expected argument type 'Int'
    _ = services.label("one", true)
    // error: pack expansion requires that 'Int, Bool' and 'Int' have the same shape
    _ = services.label(1)
    // error: pack expansion requires that 'Int, Bool' and 'Int, Bool, Int' have the same shape
    _ = services.label(1, true, 3)
    // error: cannot convert value of type 'String' to expected argument type 'Bool'
    _ = services.label(1, "loud")
    // error: pack expansion requires that 'Int, Bool' and 'Int' have the same shape
    _ = try services.label.get(1)
  }
#endif
