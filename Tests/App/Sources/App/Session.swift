import Model
import Observation
import Plug

/// Who is logged in, and the scope of what belongs to them.
@Observable
package final class Session {
  package private(set) var scope: Injector?

  package func logIn(_ shopper: Shopper) throws {
    scope = try Injector[.shop].makeScope("session") {
      try $0.register(injectable: .singleton(shopper))
    }
  }

  package func logOut() async {
    let ended = scope
    scope = nil
    for failure in await ended?.close() ?? [] { print(failure) }
  }
}
