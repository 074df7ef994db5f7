import PlugIsolation
import TestSupport
import Testing

@testable import Plug

/// For each lifetime, each place of its registration and each way to request it: which requests share an instance,
/// whether a longer-lived service may keep it, how often it is made, and when it is closed.
///
/// The app has two scopes named `visit`, and each visit has two scopes named `page`. Requests are made in a page. The
/// service, which writes `s` when it is closed, gets a lazy singleton, which writes `n`, from the place of its own
/// registration. A cell consists of:
///
/// - The largest extent in which all requests get the same instance: `app`, `visit`, `page`, `graph` (one outermost
///   request) or `call`.
/// - `!` if a lazy singleton of the app may not get it from the page.
/// - The number of instances that are made, or wrapped by a decorator, if three threads request it at once.
/// - The instances that are closed with the page, the visit and the app, separated by bars, in order. An instance made
///   from arguments writes `s` when it is released.
///
/// A dash stands where something cannot be registered.
private let table = """
  in the app       singleton    lazySingleton  weakSingleton  scoped        scopedInVisit  graph         factory
  get              app 0 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  optional         app 0 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  array            app 0 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  wrapper          app 0 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  provider         app 0 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  point            app 0 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  arguments        -            app 1 ||ns     -              page! 1 s||n  -              -             call 3 ||n
  decorated        app 1 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  decoratedInPage  page! 1 ||s  page! 1 ||sn   page! 1 ||n    page! 1 s||n  page! 1 |s|n   graph! 3 ||n  call! 3 ||n
  current          app 0 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  override         app 0 ||s    app 1 ||sn     app 1 ||n      page! 1 s||n  visit! 1 |s|n  graph 3 ||n   call 3 ||n
  in each visit    singleton      lazySingleton  weakSingleton  scoped        scopedInVisit  graph         factory
  get              visit! 0 |s|   visit! 1 |sn|  visit! 1 |n|   page! 1 s|n|  visit! 1 |sn|  graph! 3 |n|  call! 3 |n|
  optional         visit! 0 |s|   visit! 1 |sn|  visit! 1 |n|   page! 1 s|n|  visit! 1 |sn|  graph! 3 |n|  call! 3 |n|
  array            visit! 0 |s|   visit! 1 |sn|  visit! 1 |n|   page! 1 s|n|  visit! 1 |sn|  graph! 3 |n|  call! 3 |n|
  wrapper          visit! 0 |s|   visit! 1 |sn|  visit! 1 |n|   page! 1 s|n|  visit! 1 |sn|  graph! 3 |n|  call! 3 |n|
  point            visit! 0 |s|   visit! 1 |sn|  visit! 1 |n|   page! 1 s|n|  visit! 1 |sn|  graph! 3 |n|  call! 3 |n|
  arguments        -              visit! 1 |sn|  -              page! 1 s|n|  -              -             call! 3 |n|
  decorated        visit! 1 |s|   visit! 1 |sn|  visit! 1 |n|   page! 1 s|n|  visit! 1 |sn|  graph! 3 |n|  call! 3 |n|
  decoratedInPage  page! 1 |s|    page! 1 |sn|   page! 1 |n|    page! 1 s|n|  page! 1 |sn|   graph! 3 |n|  call! 3 |n|
  current          visit! 0 |s|   visit! 1 |sn|  visit! 1 |n|   page! 1 s|n|  visit! 1 |sn|  graph! 3 |n|  call! 3 |n|
  override         visit! 0 |s|   visit! 1 |sn|  visit! 1 |n|   page! 1 s|n|  visit! 1 |sn|  graph! 3 |n|  call! 3 |n|
  """

private enum Place: String { case app = "in the app", visit = "in each visit" }

/// How a service is registered and requested.
private enum Way: String {
  case get, optional, array, wrapper, provider, point, arguments, decorated, decoratedInPage, current, override
}

private struct Cell: Sendable, CustomTestStringConvertible {
  let place: Place
  let way: Way
  let lifetime: String
  let expected: String

  var testDescription: String { "\(lifetime) registered \(place.rawValue), requested by \(way)" }

  /// The cells of the table, without empty ones.
  static var all: [Cell] {
    var (cells, place, lifetimes) = ([Cell](), Place.app, [String]())
    for line in table.split(separator: "\n") {
      let columns = line.split(separator: /\ {2,}/).map(String.init)
      if let next = Place(rawValue: columns[0]) {
        (place, lifetimes) = (next, Array(columns.dropFirst()))
      } else if let way = Way(rawValue: columns[0]) {
        for (lifetime, expected) in zip(lifetimes, columns.dropFirst()) where expected != "-" {
          cells.append(Cell(place: place, way: way, lifetime: lifetime, expected: expected))
        }
      }
    }
    return cells
  }
}

private final class Needed: Sendable {}

private final class Service: Sendable {
  /// The instance that a decorator has wrapped.
  let inner: Service?
  private let end: @Sendable () -> Void

  init(inner: Service? = nil, end: @escaping @Sendable () -> Void = {}) { (self.inner, self.end) = (inner, end) }

  deinit { end() }
}

/// A singleton of the app that keeps the service.
private struct Holder: Sendable {
  let service: Service
}

/// An app with its scopes, in which a cell's service is registered.
private final class Shop: Sendable {
  /// The shop that declares the provider.
  @TaskLocal static var current: Shop?

  let cell: Cell
  let app = Injector("app", allowRewrite: true)
  /// Two visits with two pages each.
  let visits: [Injector]
  let pages: [Injector]
  private let made = Counter()
  private let wrapped = Counter()
  private let closed = Locked("")
  /// The instance that a provider gives.
  private let given = Setting<Service>()

  init(_ cell: Cell) throws {
    self.cell = cell
    let app = app
    visits = (0..<2).map { _ in app.makeScope("visit") }
    pages = visits.flatMap { visit in (0..<2).map { _ in visit.makeScope("page") } }
    for place in cell.place == .app ? [app] : visits { try register(in: place) }
    if cell.way == .decoratedInPage { for page in pages { try decorate(page) } }
  }

  /// The number of instances, or of their wrappers.
  var count: Int { [.decorated, .decoratedInPage].contains(cell.way) ? wrapped.value : made.value }

  private func close(_ mark: String) { closed.withLock { $0 += mark } }

  private func makeAlone() -> Service {
    made.increment()
    if cell.way == .arguments { return Service { [weak self] in self?.close("s") } }
    return Service()
  }

  private func make(_ injector: Injector) throws -> Service {
    _ = try injector.get(Needed.self)
    return makeAlone()
  }

  fileprivate static var currentInjection: Injection<Service> {
    guard let current else { fatalError("The provider is used by no shop.") }
    return current.injection
  }

  private var injection: Injection<Service> {
    let make: @Sendable (Injector) throws -> Service = { [unowned self] in try self.make($0) }
    let close: @Sendable (Service) -> Void = { [weak self] _ in self?.close("s") }
    return switch cell.lifetime {
    case "singleton": .singleton(given.value ?? makeAlone()).onClose(close)
    case "lazySingleton": .lazySingleton(make).onClose(close)
    case "weakSingleton": .weakSingleton(make)
    case "scoped": .scoped(make).onClose(close)
    case "scopedInVisit": .scoped(in: "visit", make).onClose(close)
    case "graph": .graph(make)
    default: .factory(make)
    }
  }

  private func register(in place: Injector) throws {
    try place.register(injectable: .lazySingleton { Needed() }.onClose { [weak self] _ in self?.close("n") })
    switch cell.way {
    case .provider: given.set(makeAlone())  // Several threads may evaluate the declaration.
    case .point: try place.register(PluginPoint<Service, Int>("services") { Candidate("only", injection) })
    case .arguments:
      let lifetime: ArgumentsLifetime<Int> =
        switch cell.lifetime {
        case "lazySingleton": .lazySingleton
        case "scoped": .scoped
        default: .factory
        }
      try place.register(Service.self, taking: Int.self, lifetime: lifetime) { [unowned self] in try make($1) }
    case .override:
      try place.register(as: Service.self) { Service() }
      try place.override(Key(Service.self), by: injection, at: CodeLocation(fileID: "Shop.swift", line: 1))
    default: try place.register(injectable: injection)
    }
    if cell.way == .decorated { try decorate(place) }
  }

  private func decorate(_ place: Injector) throws {
    try place.decorate(Service.self) { [unowned self] inner, _ in
      wrapped.increment()
      return Service(inner: inner)
    }
  }

  /// Requests the service.
  func request(_ injector: Injector) throws -> Service {
    switch cell.way {
    case .optional: try #require(try injector.get(Service?.self))
    case .array: try #require(try injector.get([Service].self).first)
    case .wrapper: try Injected<Service>(injector: injector).get()
    case .provider: try Self.$current.withValue(self) { try injector.service.get() }
    case .point: try injector.get(Service.self, in: 1)
    case .arguments: try injector.get(Service.self, with: 1)
    case .current: try Injected<Service>(.current).get()
    default: try injector.get(Service.self)
    }
  }
}

extension Injector {
  fileprivate var service: Provider<Service> { provide(Shop.currentInjection) }
}

/// The measured cell.
private func measure(_ cell: Cell) throws -> String {
  let shop = try Shop(cell)
  func request(_ page: Int) throws -> Service {
    try shop.pages[page].run { try shop.request(shop.pages[page]) }
  }
  let first = try request(0)
  let others = try [0, 1, 2].map(request)
  var extent = ["page", "visit", "app"][others.lastIndex { $0 === first } ?? 0]
  if others[0] !== first {
    try shop.app.register(
      as: [String: Bool].self,
      injectable: .factory { injector in
        ["same": try shop.request(injector) === shop.request(injector)]
      })
    extent = try shop.pages[0].run { try shop.pages[0].get([String: Bool].self) } == ["same": true] ? "graph" : "call"
  }
  return "\(extent)\(try refusal(cell)) \(try count(cell)) \(try closings(cell))"
}

/// `!` if a lazy singleton of the app may not get the service from a page, whether or not the page has made it.
private func refusal(_ cell: Cell) throws -> String {
  let refusals = try [false, true].map { isMade in
    let shop = try Shop(cell)
    let page = shop.pages[0]
    let held = isMade ? try page.run { try shop.request(page) } : nil
    defer { withExtendedLifetime(held) {} }
    try shop.app.register { Holder(service: try shop.request(page)) }
    do {
      _ = try page.run { try shop.app.get(Holder.self) }
      return ""
    } catch InjectorError.captiveDependency {
      return "!"
    }
  }
  return refusals[0] == refusals[1] ? refusals[0] : refusals.joined(separator: "/")
}

/// The number of instances that three threads make.
private func count(_ cell: Cell) throws -> Int {
  let (shop, isolation) = (try Shop(cell), TestIsolation.current)
  let request: @Sendable () -> Result<Service, any Error> = {
    Result { try isolation.run { try shop.pages[0].run { try shop.request(shop.pages[0]) } } }
  }
  let before = shop.count
  for outcome in inParallel(request, request, request) { _ = try outcome.get() }
  return shop.count - before
}

/// The instances that are closed with the page, the visit and the app.
private func closings(_ cell: Cell) throws -> String {
  let shop = try Shop(cell)
  let page = shop.pages[0]
  _ = try page.run { try shop.request(page) }
  return [page, shop.visits[0], shop.app].map { injector in
    shop.takeClosed()
    injector.closeNow()
    return shop.takeClosed()
  }.joined(separator: "|")
}

extension Shop {
  @discardableResult
  fileprivate func takeClosed() -> String {
    closed.withLock { closed in
      defer { closed = "" }
      return closed
    }
  }
}

@Suite("A cell of the table of lifetimes")
struct LifetimeTableTests {
  @Test("is one of 139")
  func count() { #expect(Cell.all.count == 139) }

  @Test("is as written", arguments: Cell.all)
  fileprivate func cell(_ cell: Cell) throws {
    let measured = cell.way == .override ? try Sandbox.run { _ in try measure(cell) } : try measure(cell)
    #expect(measured == cell.expected)
  }
}
