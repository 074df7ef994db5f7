import Plug
import PlugKeys

/// Registers a service that uses one of the program. Nothing passes an injector to the library.
@_cdecl("registerGreetings")
public func registerGreetings() -> Bool {
  let services = Injector.default
  services[Stage.self] = .preview
  do {
    try services.register(String.self, tag: "greeting", .lazySingleton { "Hello, \(try $0.get(String.self))" })
    return true
  } catch {
    print(error)
    return false
  }
}
