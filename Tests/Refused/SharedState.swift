// A value of a property or an instance of a feature is Sendable.
import Plug
import PlugKeys

final class Safe: Sendable {}
final class Unsafe {}

enum SafeProperty: Property { static var defaultValue: Safe { Safe() } }
enum SafeFeature: Feature { static func load(in injector: Injector) -> Safe { Safe() } }

#if REFUSED
  enum UnsafeProperty: Property {  // error: type 'Unsafe' does not conform to the 'Sendable' protocol
    static var defaultValue: Unsafe { Unsafe() }
  }
  enum UnsafeFeature: Feature {  // error: type 'Unsafe' does not conform to the 'Sendable' protocol
    static func load(in injector: Injector) -> Unsafe { Unsafe() }
  }
#endif
