import Observation
import Plug
import PlugIsolation
import Testing

extension Injector.Name {
  nonisolated fileprivate static let gallery: Self = "gallery"
}

extension Injector {
  fileprivate var titles: MainActorProvider<Titles> { provide(.lazySingleton { @MainActor in Titles("live") }) }
}

private final class Titles {
  let title: String
  init(_ title: String) { self.title = title }
}

@Observable private final class GalleryModel {
  @ObservationIgnored @Injected(.gallery) private var network: any Networking
  @ObservationIgnored @Injected(\.titles, in: .gallery) private var titles: Titles
  var zoom = 1
  var shown: String { "\(titles.title) by \(network.fetch())" }
}

private struct PaintedNetworking: Networking {
  nonisolated init() {}
  nonisolated func fetch() -> String { "paint" }
}

@Suite("Previews of an app that isolates everything to the main actor")
struct MainActorPreviewTests {
  @Test("A view model of a preview goes on with the services of the preview")
  func viewModel() throws {
    let services = Injector(.gallery)
    try services.register((any Networking).self) { HTTPNetworking() }
    try services.seal()
    let model = try Injector.preview {
      try services.register((any Networking).self) { PaintedNetworking() }
      return GalleryModel()
    }
    model.zoom = 2
    #expect(model.shown == "live by paint")
    #expect(GalleryModel().shown == "live by http")
  }
}
