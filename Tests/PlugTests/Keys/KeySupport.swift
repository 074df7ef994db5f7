import Plug

enum Theme: Property { static var defaultValue: String { "light" } }
enum Nickname: Property { static var defaultValue: String? { nil } }
enum Volume: Property { static let defaultValue = 0 }

/// A number that only grows.
enum Version: Property { static let defaultValue = 0 }

/// A value that cannot be compared.
struct Opaque: Sendable { let number: Int }

enum Uncomparable: Property { static var defaultValue: Opaque { Opaque(number: 0) } }

struct WallClock: Feature {
  var now: @Sendable () -> Int

  static func constant(_ now: Int) -> WallClock { WallClock { now } }

  static func load(in injector: Injector) -> WallClock { .constant(injector[Volume.self]) }
}

enum Network: Feature {
  static func load(in injector: Injector) throws -> any Networking { HTTPNetworking(name: injector[Theme.self]) }
}
