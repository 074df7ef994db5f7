import PlugIsolation
import TestSupport

@testable import Plug

/// A small program: one service, its registration, the scopes in which it is requested, and what happens meanwhile.
struct Setup: Sendable {
  enum Keeper { case root, outer, innermost }

  let ledger = Ledger()
  /// The injector that keeps the instance.
  var keeper = Keeper.innermost
  var isWeak: Bool { keeper == .root }
  var isLoaded = false
  var scopes = ["outer"]
  var change: @Sendable (Injection<GridPart>) -> Injection<GridPart> = { $0 }
  var register: @Sendable (Injector, Injection<GridPart>) throws -> Void = { try $0.register(injectable: $1) }
  var get: @Sendable (Injector) throws -> GridPart = { try $0.get() }
  var load: @Sendable (Injector) async throws -> GridPart = { try await $0.load() }
  /// Further steps in the root, after the registration.
  var preparations: [@Sendable (Injector, Setup) throws -> Void] = []
  /// Steps in the innermost scope.
  var openings: [@Sendable (Injector) throws -> Void] = []
  var events: [@Sendable (Injector) -> Void] = []
  var canClose = false
  var isIsolated = false
  var isOverridden = false

  init(_ features: Set<GridFeature>) {
    for feature in GridFeature.allCases where features.contains(feature) { feature.apply(to: &self) }
  }

  /// An injection with the lifetime of the service.
  func keeping(_ make: @escaping @Sendable (Injector) throws -> GridPart) -> Injection<GridPart> {
    switch keeper {
    case .root: .weakSingleton(make)
    case .outer: .scoped(in: "outer", make).onClose { $0.close() }
    case .innermost: .scoped(make).onClose { $0.close() }
    }
  }

  /// The positions of the root and of its scopes.
  var levels: ClosedRange<Int> { 0...scopes.count }

  private var injection: Injection<GridPart> {
    let (ledger, isLoaded, isWeak) = (ledger, isLoaded, isWeak)
    let make: @Sendable (Injector) throws -> GridPart = { injector in
      if isLoaded { _ = try injector.get(GridPart.self, tag: "loaded") }
      let part = ledger.make(.plain, for: injector, isClosable: !isWeak)
      ledger.runEvent()
      return part
    }
    if !isLoaded || keeper != .innermost { return change(keeping(make)) }
    let load: @Sendable @concurrent (Injector) async throws -> GridPart = { injector in
      _ = try await injector.load(GridPart.self, tag: "loaded")
      return try make(injector)
    }
    return change(.scoped(load).onClose { $0.close() })
  }

  /// The root and its scopes, the innermost last.
  func open() throws -> [Injector] {
    let root = Injector()
    if isOverridden {
      try register(root, keeping { _ in throw Failure() })
    } else {
      try register(root, injection)
    }
    for prepare in preparations { try prepare(root, self) }
    var chain = [root]
    for name in scopes { chain.append(chain[chain.count - 1].makeScope(name)) }
    for open in openings { try open(chain[chain.count - 1]) }
    for injector in chain { ledger.watch(injector) }
    return chain
  }

  /// Replaces the registration in the isolated test.
  func override(in root: Injector) throws {
    if isOverridden {
      try root.override(Key(GridPart.self), by: injection, at: CodeLocation(fileID: "Grid.swift", line: 1))
    }
  }
}

/// A feature of Plug, as a change to a program.
enum GridFeature: String, CaseIterable {
  case candidate, weak, scopedIn, load, configuration, override, arguments, decorator, decoratorInScope, nestedScope,
    hook, reset, close, isolation, seal

  func apply(to setup: inout Setup) {
    let (ledger, get, load) = (setup.ledger, setup.get, setup.load)
    switch self {
    case .candidate:
      setup.register = { root, injection in
        let isOne = Rule<Int>("is one") { $0 == 1 }
        try root.register(
          PluginPoint<GridPart, Int>("parts") {
            Candidate("other", .factory { throw Failure() }).when(!isOne)
            Candidate("one", injection).when(isOne)
          })
      }
      setup.get = { try $0.get(in: 1) }
      setup.load = { try await $0.load(in: 1) }
    case .weak: setup.keeper = .root
    case .scopedIn: setup.keeper = .outer
    case .load:
      setup.isLoaded = true
      setup.preparations.append { root, _ in
        try root.register(
          tag: "loaded",
          injectable: .lazySingleton { injector async in
            await Task.yield()
            return ledger.make(.loaded, for: injector, isClosable: true)
          }.onClose { $0.close() })
      }
    case .configuration:
      setup.change = { injection in
        injection.configure { part, injector in part.friend.set(try injector.get(tag: "friend")) }
      }
      // The friend gets the service, which is being made around it.
      setup.preparations.append { root, setup in
        let friend = setup.keeping { ledger.make(.friend, for: $0, isClosable: !setup.isWeak) }
        try root.register(tag: "friend", injectable: friend.configure { _, injector in _ = try setup.get(injector) })
      }
    case .override: (setup.isOverridden, setup.isIsolated) = (true, true)
    case .arguments:
      setup.preparations.append { root, _ in
        try root.register(GridPart.self, taking: Int.self, lifetime: .scoped) { _, injector in
          ledger.make(.arguments, for: injector, around: try get(injector))
        }
      }
      setup.get = { try $0.get(with: 1) }
      // The loaded instance may be reset before it is used.
      setup.load = { scope in
        while true {
          _ = try await load(scope)
          let outcome = Result { () throws(InjectorError) -> GridPart in try scope.get(with: 1) }
          if case .failure(.notLoaded) = outcome { continue }
          return try outcome.get()
        }
      }
    case .decorator:
      setup.preparations.append { root, _ in
        try root.decorate(GridPart.self) { ledger.make(.decorated, for: $1, around: $0) }
      }
    case .decoratorInScope:
      setup.openings.append { scope in
        try scope.decorate(GridPart.self) { ledger.make(.decorated, for: $1, around: $0) }
      }
    case .nestedScope: setup.scopes.append("inner")
    case .hook: setup.preparations.append { root, _ in Layers.install(Watcher(), in: root) }
    case .reset: setup.events.append { $0.reset() }
    case .close:
      setup.canClose = true
      setup.events.append { $0.closeNow() }
    case .isolation: setup.isIsolated = true
    case .seal: setup.preparations.append { root, _ in try root.seal() }
    }
  }
}

private final class Watcher: Hooks {}
