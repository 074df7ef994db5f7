import Plug
import PlugKeys
import PlugOperations
import TestSupport
import Testing

private struct Local: Sendable {}
private enum Greeting: Property { static var defaultValue: String { "hello" } }

@Suite("A setting made by name before an injector of that name is created")
struct EarlyNameTests {
  let log = Log()

  @Test("belongs to the injector that was made for the name, not to the one that is created later")
  func early() throws {
    let name: Injector.Name = "names.set.early"
    let made = Injector[name]
    made[Greeting.self] = "early"
    let token = Injector[name].trace { [log] _ in log.add("early") }
    try Injector[name].decorate(Instance.self) { inner, _ in Instance("early \(inner.name)") }
    try Injector[name].register(as: Local.self, injectable: .singleton(Local()))
    let line = #line - 1

    let services = Injector(name)
    try services.register(injectable: .lazySingleton { Instance("one") })
    let missing = #expect(throws: InjectorError.self) { try services.get(Local.self) }
    #expect(
      missing?.description == """
        get(Local.self) failed: nothing is registered for Local.
          service:        Local
          injector:       names.set.early
          chain:          Local
          asked at:       PlugOperationsTests/EarlyNameTests.swift:\(line + 5)
        To fix this:
          - Create Injector["names.set.early"] before you use its name: another injector of that name has the service, \
        registered at PlugOperationsTests/EarlyNameTests.swift:\(line).
          - Or register it before you ask for it: \
        try Injector["names.set.early"].register(Local.self, …).
        """)
    #expect(
      services.audit().description == """
        Injector "names.set.early" has 1 finding in 1 service.
        1. The name "names.set.early" was used before its injector was created, so another injector has Local, \
        a decorator of Instance, a tracer, a value of Greeting.
           at PlugOperationsTests/EarlyNameTests.swift:\(line)
           Create the injector before you use its name.
        """)
    #expect(Injector[name] === services && services[Greeting.self] == "hello" && made[Greeting.self] == "early")
    let tracing = Injector[name].trace { [log] _ in log.add("late") }
    Injector[name][Greeting.self] = "late"
    try Injector[name].decorate(Instance.self) { inner, _ in Instance("decorated \(inner.name)") }
    #expect(try services.get(Instance.self).name == "decorated one" && services[Greeting.self] == "late")
    #expect(!log.lines.isEmpty && log.lines.allSatisfy { $0 == "late" })
    withExtendedLifetime((token, tracing)) {}
  }

  @Test("is named by an audit of the injector that is created later, and of its scopes", arguments: [true, false])
  func audit(isTraced: Bool) throws {
    let name: Injector.Name = isTraced ? "names.traced.early" : "names.valued.early"
    let token = isTraced ? Injector[name].trace { _ in } : nil
    if !isTraced { Injector[name][Greeting.self] = "early" }
    #expect(Injector[name].audit().findings.isEmpty)
    let services = Injector(name)
    #expect(
      services.makeScope("request").audit().description == """
        Injector "\(name)/request" has 1 finding in 0 services.
        1. The name "\(name)" was used before its injector was created, so another injector has \
        \(isTraced ? "a tracer" : "a value of Greeting").
           Create the injector before you use its name.
        """)
    Injector[name][Greeting.self] = "late"
    token?.cancel()
  }
}
