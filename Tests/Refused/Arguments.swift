// A provider that takes arguments refuses others; instances are kept only for arguments that can be equal.
import Plug

struct Point: Sendable {}

extension Injector {
  var label: ArgumentsProvider<String, Int, Bool> {
    provide { number, isLoud, _ in isLoud ? "\(number)!" : "\(number)" }
  }
}

func labels(_ services: Injector) -> [String] {
  #if REFUSED
    // error: cannot convert value of type 'String' to expected argument type 'Int'
    return [services.label("one", true)]
  #else
    return [services.label(1, true)]
  #endif
}

func register(_ services: Injector) throws {
  try services.register(as: Int.self, taking: Point.self) { _, _ in 1 }
  #if REFUSED
    try services.register(as: Int.self, taking: Point.self, lifetime: .scoped) { _, _ in 1 }  // error: 'Hashable'
  #endif
}
