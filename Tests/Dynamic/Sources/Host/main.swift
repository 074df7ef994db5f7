import Foundation
import Plug
import PlugKeys

struct LoadingFailed: Error {
  let reason = dlerror().map { String(cString: $0) }
}

/// Calls a function of a library in the folder of the program.
func load(_ library: String, calling name: String) throws -> Bool {
  let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: library).path
  guard let handle = dlopen(path, RTLD_NOW), let function = dlsym(handle, name) else { throw LoadingFailed() }
  return unsafeBitCast(function, to: (@convention(c) () -> Bool).self)()
}

#if os(Linux)
  let library = "libGreetings.so"
#else
  let library = "libGreetings.dylib"
#endif
let services = Injector.default
try services.register(String.self, .singleton("Ada"))
print(try services.get(String?.self, tag: "greeting") ?? "no greeting", services[Stage.self])
print(try load(library, calling: "registerGreetings"))
print(try services.get(String?.self, tag: "greeting") ?? "no greeting", services[Stage.self])
