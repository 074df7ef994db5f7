import Plug
import TestSupport
import Testing

struct Twin: Sendable {}
private typealias Other = TestSupport.Twin

private enum Outer {
  struct Inner: Sendable {}
  protocol Port: Sendable {}
}

// Not private: the runtime marks the name of a private protocol with arguments.
protocol Queue<Element>: Sendable { associatedtype Element }

@Suite("Names in diagnostics", .serialized)
struct NamesTests {
  private let injector = Injector("shop")

  @Test("distinguish types of two modules in chains, also when equal short names follow each other")
  func chains() throws {
    try injector.register {
      _ = try $0.get(Other.self)
      return Twin()
    }
    try injector.register {
      _ = try $0.get(Int.self)
      return Other()
    }
    let error = #expect(throws: InjectorError.self) { try injector.get(Twin.self) }
    #expect(error?.facts.chain == ["PlugTests.Twin", "TestSupport.Twin", "Int"])
    let alone = #expect(throws: InjectorError.self) { try injector.get(Other.self) }
    #expect(alone?.facts.chain == ["Twin", "Int"])
  }

  @Test("distinguish them in a cycle")
  func circles() throws {
    try injector.register {
      _ = try $0.get(Other.self)
      return Twin()
    }
    try injector.register {
      _ = try $0.get(Twin.self)
      return Other()
    }
    let error = #expect(throws: InjectorError.self) { try injector.get(Twin.self) }
    guard case .circularDependency(_, let path)? = error else { throw try #require(error) }
    #expect(path == ["PlugTests.Twin", "TestSupport.Twin", "PlugTests.Twin"])
  }

  @Test("distinguish them in the nearest name")
  func nearest() throws {
    try injector.register(injectable: .singleton(Other()), fileID: "Shop/Main.swift", line: 3)
    let error = #expect(throws: InjectorError.self) { try injector.get(Twin.self) }
    #expect(
      error?.description.contains("nearest:        TestSupport.Twin, registered at Shop/Main.swift:3") == true,
      "\(error?.description ?? "")")
  }

  @Test("distinguish them in a validation, whether registered or needed")
  func validation() throws {
    struct Needy: Sendable { init(twin: Twin) {} }
    let line = #line + 1
    try injector.register(injectable: .lazySingleton(wiring: Needy.init))
    try injector.register { (_: Injector) in Other() }
    let error = #expect(throws: InjectorError.self) { try injector.validate(strict: true) }
    #expect(
      error?.description == """
        Injector "shop" is not valid: 2 problems in 2 services.
        1. PlugTests.Twin is not registered, but is needed by Needy.
           at PlugTests/NamesTests.swift:\(line)
           Register it, or remove the services that need it.
        2. The dependencies of TestSupport.Twin are hidden in its closure.
           at PlugTests/NamesTests.swift:\(line + 1)
           Use wiring:, or declare what it asks for: .depends(on: …), or .dependsOnNothing for nothing.
        """)
  }

  @Test("are code that compiles in advice")
  func code() {
    func request<Service: Sendable>(_ service: Service.Type) -> String? {
      let error = #expect(throws: InjectorError.self) { try Injector().get(service) }
      return error?.description.split(separator: "\n").first.map { String($0.prefix { $0 != ":" }) }
    }
    #expect(request((any Queue<Int>).self) == "get((any Queue<Int>).self) failed")
    #expect(request((@Sendable (Int) -> String).self) == "get((@Sendable (Int) -> String).self) failed")
    #expect(request(Outer.Inner.self) == "get(Outer.Inner.self) failed")
    #expect(request((any Outer.Port).self) == "get((any Outer.Port).self) failed")
    #expect(request([Outer.Inner].self) == "get(Array<Outer.Inner>.self) failed")
    _ = ((any Queue<Int>).self, (@Sendable (Int) -> String).self, Outer.Inner.self, (any Outer.Port).self)
  }

  @Test("have no any of their own, and code has what the compiler needs")
  func existentials() {
    func text<Service: Sendable>(_ service: Service.Type) -> String? {
      #expect(throws: InjectorError.self) { try injector.get(service) }?.headline
    }
    let missing = "failed: nothing is registered for"
    #expect(text((any Outer.Port).self) == "get((any Outer.Port).self) \(missing) Port.")
    #expect(
      text((any Outer.Port & CustomStringConvertible).self)
        == "get((any CustomStringConvertible & Outer.Port).self) \(missing) CustomStringConvertible & Port.")
    #expect(
      text(Result<any Queue<Int>, any Error>.self)
        == "get(Result<any Queue<Int>, Error>.self) \(missing) Result<any Queue<Int>, Error>.")
    #expect(
      text([String: Result<any Outer.Port, any Error>].self)
        == "get(Dictionary<String, Result<Outer.Port, Error>>.self) \(missing) Dictionary<String, Result<Port, Error>>."
    )
    #expect(
      text((@Sendable (any Queue<Int>) -> [any Queue<Int>]).self)
        == "get((@Sendable (any Queue<Int>) -> Array<any Queue<Int>>).self) \(missing) "
        + "@Sendable (any Queue<Int>) -> Array<any Queue<Int>>.")
  }

  @Test("of a decorator or a configuration that throws appear in the error, with its line")
  func culprits() throws {
    let line = #line + 2
    try injector.register(
      injectable: .lazySingleton { Twin() }.configure { _, _ in throw Boom() }, fileID: "Shop/Main.swift", line: 3)
    try injector.register(injectable: .lazySingleton { Other() }, fileID: "Shop/Main.swift", line: 4)
    try injector.decorate(Other.self, id: "logging") { _, _ in throw Boom() }
    let configuring = #expect(throws: InjectorError.self) { try injector.get(Twin.self) }
    #expect(
      configuring?.description.replacing(#/\n  asked at:.*/#, with: "") == """
        Twin could not be configured: \(Boom())
          service:        Twin
          injector:       shop
          chain:          Twin
          registered at:  Shop/Main.swift:3
          configured at:  PlugTests/NamesTests.swift:\(line)
        To fix this:
          - Check the configure closure, which threw Boom. The next get tries again.
        """)
    let decorating = #expect(throws: InjectorError.self) { try injector.get(Other.self) }
    #expect(
      decorating?.description.replacing(#/\n  asked at:.*/#, with: "") == """
        Twin could not be decorated: \(Boom())
          service:        Twin
          injector:       shop
          chain:          Twin
          registered at:  Shop/Main.swift:4
          decorated at:   PlugTests/NamesTests.swift:\(line + 2)
        To fix this:
          - Check the decorator logging, which threw Boom. The next get tries again.
        """)
  }
}
