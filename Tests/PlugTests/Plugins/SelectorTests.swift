import TestSupport
import Testing

@testable import Plug

@Suite("The candidates of a selector")
struct SelectorTests {
  private let rule = Rule<Int>("is positive") { $0 > 0 }

  private func ids(_ injector: Injector) throws -> [String]? {
    try injector.find(Key(String.self))?.selector?.order.entries.map(\.id)
  }

  private func register(_ injector: Injector, _ ids: String...) throws {
    for id in ids { try injector.contribute(String.self, .factory { id }, when: rule, id: id) }
  }

  @Test("stay in the order of registration, and one that is registered again comes last")
  func order() throws {
    let injector = Injector(allowRewrite: true)
    try register(injector, "a", "b", "c")
    #expect(try ids(injector) == ["a", "b", "c"])
    try register(injector, "a")
    #expect(try ids(injector) == ["b", "c", "a"])
  }

  @Test("end with the registration without a rule, whenever that is made")
  func fallback() throws {
    let injector = Injector()
    try register(injector, "a")
    try injector.register(as: String.self, injectable: .factory { "plain" })
    try register(injector, "b")
    #expect(try ids(injector) == ["a", "b", "default"])
    #expect(try [1, -1].map { try injector.get(String.self, in: $0) } == ["a", "plain"])
  }

  @Test("keep their order when many of them are removed")
  func removed() throws {
    let injector = Injector()
    for number in 0..<100 { try register(injector, "\(number)") }
    for number in 0..<100 where !number.isMultiple(of: 7) {
      try injector.unregister(String.self, candidate: "\(number)")
    }
    try register(injector, "last")
    #expect(try ids(injector) == stride(from: 0, to: 100, by: 7).map { "\($0)" } + ["last"])
  }

  @Test("need no context any more when the last one with a rule is removed")
  func contextFree() throws {
    let injector = Injector()
    try register(injector, "a")
    try injector.register(as: String.self, injectable: .factory { "plain" })
    #expect(throws: InjectorError.self) { try injector.get(String.self) }
    try injector.unregister(String.self, candidate: "a")
    #expect(try injector.get(String.self) == "plain")
  }

  @Test("that a choice has begun with are chosen, although another one has been added since")
  func snapshot() throws {
    let injector = Injector()
    let adding = Rule<Int>("adds another one") { [unowned injector] _ in
      try injector.contribute(
        String.self, .factory { "late" }, when: Rule<Int>("always") { _ in true }, id: "late")
      return false
    }
    try injector.contribute(String.self, .factory { "adding" }, when: adding, id: "adding")
    try register(injector, "a")
    #expect(try injector.get(String.self, in: 1) == "a")
    #expect(try ids(injector) == ["adding", "a", "late"])
  }
}
