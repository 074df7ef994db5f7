// A provider that does not exist does not compile, under a name of the injector's or as a wrapped property.
import Plug

extension Injector {
  var greeting: Provider<String> { provide(.singleton("hello")) }
}

struct Screen {
  @Injected(\.greeting) var greeting
  #if REFUSED
    @Injected(\.missing) var missing  // error: cannot infer key path type from context
  #endif
}

func greet(_ services: Injector) -> [String] {
  #if REFUSED
    return [services.greeting(), services.missing()]  // error: value of type 'Injector' has no member 'missing'
  #else
    return [services.greeting()]
  #endif
}
