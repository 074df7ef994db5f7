import Plug
import PlugTesting
import Testing

private struct Tool: Sendable, Equatable {
  let name: String
}

extension Injector {
  fileprivate var used: Provider<Tool> { provide(.lazySingleton { Tool(name: "used") }) }
  fileprivate var unused: Provider<Tool> { provide(.lazySingleton { Tool(name: "unused") }) }
}

extension Provider where Service == Tool {
  fileprivate func decorate(by name: String) throws {
    try decorate(id: name) { inner, _ in Tool(name: "\(name)(\(inner.name))") }
  }
}

@Suite("Providers with decorators in isolated tests")
struct ProviderDecorationTests {
  let injector = Injector()

  @Test("keep their decorators in the copy, and an override is not decorated")
  func copies() throws {
    try injector.used.decorate(by: "outer")
    try injector.unused.decorate(by: "outer")
    #expect(injector.used().name == "outer(used)")
    try withIsolatedInjectors {
      #expect(injector.used().name == "outer(used)" && injector.unused().name == "outer(unused)")
      try injector.used.override(.singleton(Tool(name: "fake")))
      #expect(injector.used().name == "fake")
    }
    try withIsolatedInjectors {
      try injector.unused.decorate(by: "test")
      #expect(injector.unused().name == "test(outer(unused))")
    }
    #expect(injector.unused().name == "outer(unused)" && injector.used().name == "outer(used)")
  }
}
