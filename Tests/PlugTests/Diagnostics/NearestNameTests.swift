import TestSupport
import Testing

@testable import Plug

private protocol Payments: Sendable {}

private struct Card: Payments {}

private struct Checkout: Sendable {}

@Suite("The nearest name")
struct NearestNameTests {
  @Test("is found among 10,000 registrations")
  func many() throws {
    let injector = Injector()
    for number in 0..<10_000 {
      try injector.register(as: Int.self, tag: .init(rawValue: "number \(number)"), injectable: .singleton(number))
    }
    let error = #expect(throws: InjectorError.self) { try injector.get(Int.self, tag: "numbr 7777") }
    withExtendedLifetime(injector) { #expect(error?.facts.nearest == "Int (tag \"number 7777\")") }
  }

  @Test("keeps neither the injector nor its instances, and is not found after their end")
  func released() throws {
    let living = LivingCount()
    var injector: Injector? = Injector()
    try injector?.register(as: Tracked.self) { Tracked(living) }
    _ = try injector?.get(Tracked.self)
    let error = #expect(throws: InjectorError.self) { try injector?.get(Tracked.self, tag: "other") }
    weak let observed = injector
    #expect(living.current == 1)
    injector = nil
    #expect(observed == nil)
    #expect(living.current == 0)
    #expect(error?.facts.nearest == nil)
  }

  @Test("can be a name of the injectors around a closed scope")
  func scopes() throws {
    let injector = Injector()
    try injector.register(as: (any Payments).self, tag: "card", injectable: .factory { Card() })
    let scope = injector.makeScope()
    let error = #expect(throws: InjectorError.self) { try scope.get((any Payments).self, tag: "cart") }
    scope.closeNow()
    withExtendedLifetime(scope) { #expect(error?.facts.nearest == "Payments (tag \"card\")") }
  }

  @Test("is the first in alphabetical order among equally near ones, and is ignored by equality")
  func order() throws {
    let injectors = [["a", "c"], ["c", "a"], []].map { tags in
      let injector = Injector()
      for tag in tags {
        _ = try? injector.register(as: Int.self, tag: .init(rawValue: tag), injectable: .singleton(0))
      }
      return injector
    }
    let facts = injectors.compactMap { injector in
      #expect(throws: InjectorError.self) { try injector.get(Int.self, tag: "b") }?.facts
    }
    withExtendedLifetime(injectors) {
      #expect(facts.map { $0.nearest } == ["Int (tag \"a\")", "Int (tag \"a\")", nil])
    }
    #expect(Set(facts).count == 1)
  }

  @Test("of an argument list that was unregistered, or registered again, appears once or not at all")
  func arguments() throws {
    let injector = Injector(allowRewrite: true)
    for _ in 0..<2 { try injector.register(Checkout.self, taking: Int.self) { _, _ in Checkout() } }
    try injector.register(Checkout.self, taking: Bool.self) { _, _ in Checkout() }
    let scope = injector.makeScope()
    try scope.register(Checkout.self, taking: Double.self) { _, _ in Checkout() }
    func lists(_ injector: Injector) throws -> [[String]] {
      let error = #expect(throws: InjectorError.self) { try injector.get(Checkout.self, with: "one") }
      guard case .argumentsMismatch(_, let expected, _) = try #require(error) else { return [] }
      return expected.sorted { $0[0] < $1[0] }
    }
    #expect(try lists(injector) == [["Bool"], ["Int"]])
    #expect(try lists(scope) == [["Bool"], ["Double"], ["Int"]])
    try injector.unregister(Checkout.self, taking: Int.self)
    #expect(try lists(injector) == [["Bool"]])
    try injector.unregister(Checkout.self, taking: Bool.self)
    #expect(try lists(injector) == [])
    #expect(try lists(scope) == [["Double"]])
  }
}
