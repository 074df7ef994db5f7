import Plug
import TestSupport
import Testing

@Suite("Refused decorators")
struct RefusedDecorationTests {
  let injector = Injector()

  @Test("leave a service unchanged if an instance for one of its argument lists is in use")
  func partlyInUse() throws {
    try injector.register(as: String.self) { "plain" }
    try injector.register(as: String.self, taking: Bool.self) { flag, _ in "\(flag)" }
    try injector.register(as: String.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in "\(number)" }
    _ = try injector.get(String.self, with: 1)
    let error = #expect(throws: InjectorError.self) { try injector.decorate(String.self) { inner, _ in "(\(inner))" } }
    guard case .instanceExists = try #require(error) else { throw try #require(error) }
    #expect(
      try [injector.get(), injector.get(with: true), injector.get(with: 1), injector.get(with: 2)]
        == ["plain", "true", "1", "2"])
  }

  @Test("leave a service that a scope has failed to make ready for the next request")
  func failedInScope() throws {
    struct Boom: Error {}
    try injector.register(as: String.self) { throw Boom() }
    let scope = injector.makeScope()
    try scope.decorate(String.self) { inner, _ in inner }
    #expect(throws: InjectorError.self) { try scope.get(String.self) }
    try? injector.decorate(String.self) { inner, _ in inner }
    let error = #expect(throws: InjectorError.self) { try injector.get(String.self) }
    guard case .constructionFailed = try #require(error) else { throw try #require(error) }
  }

  @Test("leave the own registration of a scope unchanged if the scope has decorated the inherited one")
  func overlaid() throws {
    try injector.register(as: String.self) { "inherited" }
    let scope = injector.makeScope()
    try scope.decorate(String.self) { inner, _ in "1(\(inner))" }
    #expect(try scope.get(String.self) == "1(inherited)")
    try scope.register(as: String.self) { "own" }
    #expect(throws: InjectorError.self) { try scope.decorate(String.self) { inner, _ in "2(\(inner))" } }
    #expect(try scope.get(String.self) == "1(own)")
  }

  @Test("throw in a scope that has made an inherited service from arguments")
  func overlaidWithArguments() throws {
    try injector.register(as: String.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in "\(number)" }
    let scope = injector.makeScope()
    try scope.decorate(String.self) { inner, _ in "1(\(inner))" }
    #expect(try scope.get(String.self, with: 1) == "1(1)")
    let error = #expect(throws: InjectorError.self) { try scope.decorate(String.self) { inner, _ in "2(\(inner))" } }
    guard case .instanceExists = try #require(error) else { throw try #require(error) }
    #expect(try [scope.get(with: 1), scope.get(with: 2), injector.get(with: 1)] == ["1(1)", "1(2)", "1"])
  }
}
