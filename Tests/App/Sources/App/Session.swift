import Model
import Observation
import Plug

/// Who is logged in, and the scope of what belongs to them.
@Observable
package final class Session {
  package private(set) var scope: Injector?

  @discardableResult
  package func logIn(_ shopper: Shopper) throws -> Injector {
    let scope = try Injector[.shop].makeScope("session") {
      try $0.register(.singleton(shopper))
    }
    self.scope = scope
    return scope
  }

  package func logOut() async {
    let ended = scope
    scope = nil
    await ended?.close()
  }
}
