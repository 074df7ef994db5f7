import Plug
import PlugTesting
import Synchronization
import Testing

private protocol Network: Sendable { var host: String { get } }
private struct HTTPNetwork: Network { let host = "http" }
private struct FakeNetwork: Network { let host = "fake" }

private final class FeedCache: Sendable {}

private final class FeedModel: Sendable {
  let posts: [String]
  let cache: FeedCache

  init(network: any Network, cache: FeedCache) {
    posts = [network.host]
    self.cache = cache
  }
}

private enum App {
  static let services = Injector("feature environments") { app in
    try app.register((any Network).self) { HTTPNetwork() }
  }
}

nonisolated extension Injector.Name { fileprivate static let feed: Self = "feed" }

private struct FeedScreen {
  @Injected(.feed) var model: FeedModel
}

@MainActor
private final class FeedCoordinator {
  private let app: Injector
  private var feed: Injector?

  init(app: Injector) { self.app = app }

  func open() throws {
    feed = try app.makeScope(.feed) { feed in
      try feed.register { FeedCache() }
      try feed.register {
        try FeedModel(network: $0.get(), cache: $0.get())
      }
    }
  }

  func close() async {
    await feed?.close()
    feed = nil
  }
}

private struct FeedColumn {
  @Injected var model: FeedModel

  init(in feed: Injector) { _model = Injected(injector: feed) }
}

@Suite("The guide A feature's environment", .isolated, .serialized)
@MainActor
struct FeatureEnvironmentsGuideTests {
  @Test("Screens share the feature's model until it is closed, and the model has the app's network")
  func sharing() throws {
    let app = App.services
    let feed = try app.makeScope(.feed) { feed in
      try feed.register { FeedCache() }
      try feed.register { try FeedModel(network: $0.get(), cache: $0.get()) }
    }
    let model = FeedScreen().model
    #expect(model === FeedScreen().model)
    #expect(model.posts == ["http"])
    #expect(try model.cache === feed.get(FeedCache.self))
    #expect(!app.isRegistered(FeedModel.self))
    feed.closeNow()
    #expect(Injector[.feed] !== feed)
    #expect(throws: InjectorError.self) { try FeedScreen().$model.get() }
  }

  @Test("A coordinator opens the feature anew, with a new model")
  func coordinating() async throws {
    let coordinator = FeedCoordinator(app: App.services)
    try coordinator.open()
    let screen = FeedScreen()
    let model = screen.model
    await coordinator.close()
    #expect(screen.model === model)
    try coordinator.open()
    #expect(FeedScreen().model !== model)
  }

  @Test("A service of the feature replaces the app's in the feature alone")
  func replacing() throws {
    let feed = try App.services.makeScope(.feed) { feed in
      try feed.register((any Network).self) { FakeNetwork() }
    }
    #expect(try feed.get((any Network).self).host == "fake")
    #expect(try App.services.get((any Network).self).host == "http")
  }

  @Test("Two features side by side have a model each")
  func columns() throws {
    func open() throws -> Injector {
      try App.services.makeScope("feed") { feed in
        try feed.register { FeedCache() }
        try feed.register { try FeedModel(network: $0.get(), cache: $0.get()) }
      }
    }
    let (left, right) = (try open(), try open())
    #expect(FeedColumn(in: left).model !== FeedColumn(in: right).model)
    #expect(try FeedColumn(in: left).model === left.get(FeedModel.self))
  }

  @Test(.isolated) func theFeedShowsItsPosts() throws {
    try App.services.override((any Network).self) { FakeNetwork() }
    let coordinator = FeedCoordinator(app: App.services)
    try coordinator.open()
    #expect(FeedScreen().model.posts == ["fake"])
  }
}
