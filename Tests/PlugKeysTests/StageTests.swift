import Plug
import PlugIsolation
import PlugKeys
import Testing

private protocol Prices: Sendable { var price: Int { get } }

private struct Fixed: Prices { let price: Int }

private func shop() throws -> Injector {
  let shop = Injector()
  try shop.register(as: (any Prices).self) { Fixed(price: 10) }
  try shop.contribute(
    (any Prices).self, .lazySingleton { Fixed(price: 3) }, when: .stage(.preview, .test), id: "fixed")
  try shop.contribute(
    (any Prices).self, .lazySingleton { Fixed(price: 1) }, when: .stage(.debug), id: "cheap")
  try shop.seal()
  return shop
}

@Suite("Stages")
struct StageTests {
  @Test("A stage chooses its own registrations", arguments: [Stage.production, .debug, .preview, .test])
  func choice(stage: Stage) throws {
    let shop = try shop()
    shop[Stage.self] = stage
    let prices = [Stage.production: 10, .debug: 1, .preview: 3, .test: 3]
    #expect(try shop.get((any Prices).self).price == prices[stage])
    #expect(try shop.makeScope("request").get((any Prices).self).price == prices[stage])
  }

  @Test("A test is in the test stage, and a preview in the preview stage, without setting it")
  func beginning() throws {
    #expect(Injector()[Stage.self] == .test)
    let shop = try shop()
    #expect(try shop.get((any Prices).self).price == 3)
    #expect(try shop.explain((any Prices).self).elements[0].rule?.parts[0].operand == "test")
    let seen = Injector.preview { [shop[Stage.self], Injector()[Stage.self]] }
    #expect(seen == [.preview, .preview])
    #expect(shop[Stage.self] == .test)
  }

  @Test("An object that a preview makes stays in the preview stage when it requests services later")
  func later() throws {
    struct Model { @Injected var stage: String }
    let services = Injector.default
    let model = Injector.preview {
      _ = try? services.register(as: String.self, injectable: .factory { "\($0[Stage.self])" })
      return Model()
    }
    #expect(model.stage == "preview")
  }

  @Test("An explanation names the stage")
  func explanation() throws {
    let shop = try shop()
    shop[Stage.self] = .debug
    let rules = try shop.explain((any Prices).self).elements.map { "\($0.id): \($0.rule?.description ?? "")" }
    #expect(
      rules == [
        "fixed: - any\n  - Stage == preview: debug\n  - Stage == test: debug", "cheap: + Stage == debug: debug",
        "default: ",
      ])
  }

  @Test("A preview can set its own stage without changing the injector's")
  func preview() throws {
    let shop = try shop()
    let price = try Injector.preview {
      shop[Stage.self] = .production
      return try shop.get((any Prices).self).price
    }
    #expect(price == 10)
    #expect(shop[Stage.self] == .test)
  }
}
