import Plug
import PlugOperations
import TestSupport
import Testing

private protocol User: Sendable { var name: String { get } }

private struct Person: User { let name: String }

private struct Renamed: User {
  let inner: any User
  var name: String { "the \(inner.name)" }
}

/// Keeps the user that it was made with.
private final class Greeter: Sendable {
  let user: any User
  init(_ user: any User) { self.user = user }
}

extension Injector {
  fileprivate var user: Provider<any User> { provide(.factory { Person(name: "nobody") }) }
}

/// A lazy singleton of the root that gets a service of a scope is refused, in whatever form the scope has registered
/// the service.
@Suite("A singleton that reads the current scope")
struct CurrentCaptureTests {
  private let root = Injector("root")

  /// Whether a greeter of the root is refused in the scopes of two users.
  private func isRefused(
    _ get: @escaping @Sendable (Injector) throws -> any User = { try $0.get() },
    _ prepare: (Injector, String) throws -> Void
  ) throws -> Bool {
    try root.register { Greeter(try get(try #require(Injector.current))) }
    var refusals = 0
    for name in ["Ann", "Bob"] {
      let scope = root.makeScope("request")
      try prepare(scope, name)
      do {
        let greeter = try scope.run { try scope.get(Greeter.self) }
        Issue.record("\(name) is greeted as \(greeter.user.name).")
      } catch InjectorError.captiveDependency {
        refusals += 1
      }
    }
    return refusals == 2
  }

  @Test("is refused the user although the factory of a longer-lived service has opened the scope")
  func nested() throws {
    struct House: Sendable { let guest: String }
    try root.register { Greeter(try #require(Injector.current).get()) }
    try root.register { injector -> House in
      let scope = injector.makeScope("visit")
      try scope.register(injectable: .singleton(Person(name: "Ann") as any User))
      // The factory may read the scope that it opened itself. A service that it makes for the root in between may not.
      let guest = try scope.get((any User).self).name
      try scope.run { _ = try scope.get(Greeter.self) }
      return House(guest: guest)
    }
    let error = #expect(throws: InjectorError.self) { try root.get(House.self) }
    guard case .captiveDependency(let facts, _) = try #require(error) else { throw try #require(error) }
    #expect(facts.chain == ["House", "Greeter", "User"])
  }

  @Test("is refused a factory instance of the scope")
  func factory() throws {
    #expect(
      try isRefused { scope, name in try scope.register(injectable: .factory { Person(name: name) as any User }) })
  }

  @Test("is refused a graph instance of the scope")
  func graph() throws {
    #expect(try isRefused { scope, name in try scope.register(injectable: .graph { Person(name: name) as any User }) })
  }

  @Test("is refused an instance that was handed to the scope")
  func instance() throws {
    #expect(try isRefused { scope, name in try scope.register(injectable: .singleton(Person(name: name) as any User)) })
  }

  @Test("gets the service of the root, which keeps it, if the scope has one that differs", arguments: Change.allCases)
  private func ofRoot(change: Change) throws {
    struct Holder {
      @Injected(.current) var user: any User
      @Injected(.current) var users: [any User]
      @Injected(\.user, in: .current) var provided: any User
    }
    try root.register(injectable: .factory { Person(name: "guest") as any User })
    try root.register {
      switch change {
      case .decorator: Greeter(try Holder().$user.get())
      case .contribution: Greeter(try #require(Holder().$users.get().first))
      case .provider: Greeter(try Holder().$provided.get())
      }
    }
    for name in ["Ann", "Bob"] {
      let scope = root.makeScope("request")
      switch change {
      case .decorator: try scope.decorate((any User).self) { inner, _ in Renamed(inner: inner) }
      case .contribution: try scope.contribute((any User).self, .factory { Person(name: name) })
      case .provider: try scope.user.override(.factory { Person(name: name) })
      }
      let greeter = try scope.run { try scope.get(Greeter.self) }
      #expect(greeter.user.name == (change == .provider ? "nobody" : "guest"))
    }
  }

  private enum Change: CaseIterable { case decorator, contribution, provider }

  @Test("is refused an instance that the scope makes from arguments")
  func arguments() throws {
    #expect(
      try isRefused({ try $0.get((any User).self, with: 1) }) { scope, name in
        try scope.register((any User).self, taking: Int.self) { _, _ in Person(name: name) }
      })
  }

  @Test("is refused a candidate of the scope")
  func candidate() throws {
    #expect(
      try isRefused({ try $0.get((any User).self, in: 1) }) { scope, name in
        try scope.register(PluginPoint<any User, Int>("users") { Candidate("person", .factory { Person(name: name) }) })
      })
  }

  @Test("is refused the user through a property wrapper, too", arguments: Way.allCases)
  private func wrapper(way: Way) throws {
    struct Holder {
      @Injected(.current) var user: any User
    }
    if way == .inherited { try root.register(injectable: .scoped { Person(name: "guest") as any User }) }
    #expect(
      try isRefused({ _ in try Holder().$user.get() }) { scope, name in
        let person = Person(name: name) as any User
        switch way {
        case .instance: try scope.register(injectable: .singleton(person))
        case .lazySingleton: try scope.register { person }
        case .scoped: try scope.register(injectable: .scoped { person })
        case .factory: try scope.register(injectable: .factory { person })
        case .graph: try scope.register(injectable: .graph { person })
        case .candidate:
          try scope.register(injectable: .singleton(1))
          try scope.register(PluginPoint<any User, Int>("users") { Candidate("person", .factory { person }) })
        case .arguments:
          try scope.register((any User).self, taking: Int.self) { _, _ in person }
          try scope.register(injectable: .factory { injector in try injector.get((any User).self, with: 1) })
        case .inherited: break
        }
      })
  }

  /// The way in which a scope has got its user.
  private enum Way: CaseIterable {
    case instance, lazySingleton, scoped, factory, graph, candidate, arguments, inherited
  }
}
