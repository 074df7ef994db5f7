import App
import Model
import Plug
import PlugIsolation
import Shop
import Store
import Testing

extension CatalogueModel {
  static func sample() throws -> CatalogueModel {
    try Injector.preview {
      try ShopApp.services
        .register((any Network).self) { FakeNetwork() }
      return try ShopApp.services.get()
    }
  }
}

struct PreviewTests {
  @Test("A preview shows what it has been given, and the app what it has")
  func sample() async throws {
    let model = try CatalogueModel.sample()
    await model.refresh()
    #expect(model.products == [.tea, .cup])
    model.select(.tea)
    #expect(try ShopApp.services.get((any Navigation).self).path == [])
  }
}
