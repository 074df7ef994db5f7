// A provider that takes arguments refuses others; instances are kept only for arguments that can be equal.
import Plug

struct Point: Sendable {}

extension Injector {
  var label: Provider<String, Int, Bool> {
    provide { number, isLoud, _ in isLoud ? "\(number)!" : "\(number)" }
  }
}

#if REFUSED
  extension Injector {
    var kept: Provider<String, Point> {
      // error: 'scoped' is unavailable: equal arguments share an instance, so each of them has to be Hashable
      provide(lifetime: .scoped) { _, _ in "" }
    }
    var shown: MainActorProvider<String, Point> {
      // error: 'scoped' is unavailable: equal arguments share an instance, so each of them has to be Hashable
      provide(lifetime: .scoped) { _, _ in "" }
    }
    var whole: Provider<String, Int> {
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
  try services.register(Int.self, taking: Point.self) { _, _ in 1 }
  #if REFUSED
    // error: 'scoped' is unavailable: equal arguments share an instance, so each of them has to be Hashable
    try services.register(Int.self, taking: Point.self, lifetime: .scoped) { _, _ in 1 }
    // error: 'lazySingleton' is unavailable: equal arguments share an instance, so each of them has to be Hashable
    try services.register(Int.self, taking: Int.self, Point.self, lifetime: .lazySingleton) { _, _, _ in 1 }
  #endif
}
