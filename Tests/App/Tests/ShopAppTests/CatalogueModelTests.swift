import App
import Model
import Observation
import Plug
import PlugKeys
import PlugTesting
import Shop
import Store
import Testing

@Suite(
  .isolated { injectors in
    try injectors[.shop].override(
      (any Network).self, .singleton(FakeNetwork()))
  })
struct CatalogueModelTests {
  @Test("It shows what the server sells")
  func refresh() async throws {
    let model = try ShopApp.services.get(CatalogueModel.self)
    await model.refresh()
    #expect(model.products == [.tea, .cup] && model.failure == nil)
  }

  @Test("It says why there is nothing to see")
  func offline() async throws {
    try ShopApp.services.override((any Network).self, .singleton(BrokenNetwork()))
    let model = try ShopApp.services.get(CatalogueModel.self)
    await model.refresh()
    #expect(model.products == [] && model.failure == "Offline()")
  }

  @Test("It shows a product on the navigation of the app")
  func navigation() throws {
    try ShopApp.services.get(CatalogueModel.self).select(.tea)
    #expect(try ShopApp.services.get((any Navigation).self).path == ["tea"])
  }

  @Test("It opens the selected product")
  func selection() throws {
    let navigation = RecordingNavigation()
    try ShopApp.services.override(
      (any Navigation).self, .singleton(navigation))
    try ShopApp.services.get(CatalogueModel.self).select(.tea)
    #expect(navigation.path == ["tea"])
  }

  @Test("The currency is state that views observe")
  func currency() throws {
    let model = try ShopApp.services.get(CatalogueModel.self)
    let changed = Changed()
    let shown = withObservationTracking {
      model.currency
    } onChange: {
      changed.note()
    }
    #expect(shown == "EUR" && !changed.isNoted)
    ShopApp.services[Currency.self] = "USD"
    #expect(model.currency == "USD" && changed.isNoted)
  }
}
