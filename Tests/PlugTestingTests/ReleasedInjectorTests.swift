import Plug
import PlugTesting
import Testing

@Suite("A property in an isolated test")
struct ReleasedInjectorTests {
  @Test("cannot be read when its injector has been released, and says what to do", arguments: [false, true])
  func released(isScope: Bool) throws {
    var injector: Injector? = try Injector.shop()
    if isScope { injector = injector?.makeScope("request") }
    let line = #line + 1
    let property = Injected<any Payments>(injector: try #require(injector))
    #expect(try property.get().name == "live")
    injector = nil
    let error = withIsolatedInjectors { #expect(throws: InjectorError.self) { try property.get() } }
    #expect(
      error?.description == """
        Payments cannot be resolved or registered: the injector is closed.
          service:        Payments
          injector:       (none)
          chain:          Payments
          asked at:       PlugTestingTests/ReleasedInjectorTests.swift:\(line)
        To fix this:
          - Get the services that you need before you close the injector, and keep no object that asks it later.
          - Or \(isScope ? "open another scope: makeScope(\"…\")." : "create another injector: this one stays closed.")
        """)
  }
}
