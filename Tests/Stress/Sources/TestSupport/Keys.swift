package import Plug
import PlugKeys

package enum Theme: Property { package static var defaultValue: String { "light" } }
package enum Nickname: Property { package static var defaultValue: String? { nil } }
package enum Volume: Property { package static let defaultValue = 0 }

/// A number that only grows.
package enum Version: Property { package static let defaultValue = 0 }

/// A value that cannot be compared.
package struct Opaque: Sendable {
  package let number: Int

  package init(number: Int) {
    self.number = number
  }
}

package enum Uncomparable: Property { package static var defaultValue: Opaque { Opaque(number: 0) } }

package struct WallClock: Feature {
  package var now: @Sendable () -> Int

  package init(now: @escaping @Sendable () -> Int) {
    self.now = now
  }

  package static func constant(_ now: Int) -> WallClock { WallClock { now } }

  package static func load(in injector: Injector) -> WallClock { .constant(injector[Volume.self]) }
}

package enum Network: Feature {
  package static func load(in injector: Injector) throws -> any Networking {
    HTTPNetworking(name: injector[Theme.self])
  }
}
