import Plug
import Testing

private protocol Clock: Sendable { var name: String { get } }
private struct Named: Clock { let name: String }

@Suite("Code with labels")
struct InjectorLabelsTests {
  private let services = Injector("services", allowRewrite: true)

  @Test("registers, unregisters and resets the service that code without them does")
  func registered() throws {
    try services.register(as: (any Clock).self, injectable: .singleton(Named(name: "first")))
    #expect(services.isRegistered(type: (any Clock).self))
    try services.unregister(type: (any Clock).self)
    #expect(!services.isRegistered((any Clock).self) && !services.isRegistered(type: (any Clock).self))
    let error = #expect(throws: InjectorError.self) { try services.reset(type: (any Clock).self) }
    #expect(error?.facts.service == "Clock")
  }

  @Test("registers candidates and contributions")
  func candidates() throws {
    try services.register(
      as: (any Clock).self, injectable: .singleton(Named(name: "even")),
      when: Rule<Int>("is even") { $0.isMultiple(of: 2) }, id: "even", priority: 1)
    try services.contribute((any Clock).self, injectable: .singleton(Named(name: "any")), id: "any")
    #expect(try services.getAll((any Clock).self, in: 2).map(\.name) == ["even", "any"])
    #expect(try services.getAll((any Clock).self, in: 3).map(\.name) == ["any"])
    try services.unregister(type: (any Clock).self, candidate: "any")
    #expect(try services.getAll((any Clock).self, in: 3).isEmpty)
  }

  @Test("registers services that are made from arguments, and keeps them as it says")
  func arguments() throws {
    try services.register(as: (any Clock).self, taking: Int.self, String.self, lifetime: .lazySingleton) {
      number, text, _ in Named(name: "\(text) \(number)")
    }
    #expect(try services.get((any Clock).self, with: 7, "at").name == "at 7")
    #expect(services.isRegistered(type: (any Clock).self, taking: Int.self, String.self))
    try services.unregister(type: (any Clock).self, taking: Int.self, String.self)
    #expect(!services.isRegistered((any Clock).self, taking: Int.self, String.self))
  }
}
