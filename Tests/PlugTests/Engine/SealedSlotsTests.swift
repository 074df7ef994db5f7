import Testing

@testable import Plug

private final class Page: Sendable {
  let number: Int

  init(_ number: Int) {
    self.number = number
  }
}

private struct Wide: Sendable {
  var vector = SIMD16<Double>(repeating: 1)
}

@Suite("What a sealed injector reads", .serialized)
struct SealedSlotsTests {
  @Test("is aligned as its type asks")
  func alignment() throws {
    let services = Injector()
    try services.register(injectable: .lazySingleton { Wide() })
    try services.register(tag: "given", injectable: .singleton(Wide()))
    _ = try services.get(Wide.self)
    try services.seal()
    #expect(try services.get(Wide.self).vector.sum() == 16)
    #expect(try services.makeScope().get(Wide.self, tag: "given").vector.sum() == 16)
  }

  @Test("is weak where it is registered so, and missing where it is not registered")
  func others() throws {
    let services = Injector("services")
    try services.register(injectable: .weakSingleton { Page(1) })
    try services.seal()
    do {
      let page = try services.get(Page.self)
      #expect(try services.get(Page.self) === page)
    }
    weak let gone = try services.get(Page.self)
    #expect(gone == nil)
    #expect(try services.get(Wide?.self) == nil)
    let error = #expect(throws: InjectorError.self) { try services.get(Wide.self) }
    guard case .notRegistered = error else { throw try #require(error) }
  }
}
