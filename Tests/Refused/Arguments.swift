// A provider that takes arguments refuses others; instances are kept only for arguments that can be equal.
import Plug

struct Point: Sendable {}

extension Injector {
  var label: ArgumentsProvider<String, Int, Bool> {
    provide { number, isLoud, _ in isLoud ? "\(number)!" : "\(number)" }
  }
}

#if REFUSED
  extension Injector {
    var kept: ArgumentsProvider<String, Point> {
      // error: contextual member reference to static property 'scoped' requires 'Self' constraint in the protocol ext
      provide(lifetime: .scoped) { _, _ in "" }
    }
    var shown: MainActorArgumentsProvider<String, Point> {
      // error: contextual member reference to static property 'scoped' requires 'Self' constraint in the protocol ext
      provide(lifetime: .scoped) { _, _ in "" }
    }
    var whole: ArgumentsProvider<String, Int> {
      // error: type 'ArgumentsLifetime<Int>' has no member 'graph'
      provide(lifetime: .graph) { _, _ in "" }
    }
  }
#endif

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
    // error: contextual member reference to static property 'scoped' requires 'Self' constraint in the protocol exten
    try services.register(as: Int.self, taking: Point.self, lifetime: .scoped) { _, _ in 1 }
    // error: static property 'lazySingleton' requires that 'Point' conform to 'Hashable'
    try services.register(as: Int.self, taking: Int.self, Point.self, lifetime: .lazySingleton) { _, _, _ in 1 }
  #endif
}
