import PlugOperations
import TestSupport
import Testing

@testable import Plug

private struct UserID: Hashable, Sendable {
  let number: Int
}

private struct Region: Sendable {
  let name: String
}

private protocol Detail: Sendable {
  var text: String { get }
}

private final class LiveDetail: Detail {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

@MainActor private final class Page {
  nonisolated let number: Int

  init(_ number: Int) {
    self.number = number
  }
}

extension Injector {
  fileprivate func register(keeping lifetime: ArgumentsLifetime<UserID, String>) throws {
    try register((any Detail).self, taking: UserID.self, String.self, lifetime: lifetime) { id, name, injector in
      LiveDetail("\(id.number) \(name) \(try injector.get(Int.self))")
    }
  }

  fileprivate func detail(_ number: Int, _ name: String) throws -> LiveDetail {
    try #require(try get((any Detail).self, with: UserID(number: number), name) as? LiveDetail)
  }

  fileprivate var page: Provider<String, Int, Region> {
    provide { number, region, injector in "\(number) in \(region.name) of \(try injector.get(Int.self))" }
  }

  fileprivate var keptPage: Provider<Page, Int> {
    provide(lifetime: .lazySingleton) { @MainActor number, _ in Page(number) }
  }
}

@Suite("Arguments")
struct InjectorArgumentsTests {
  let injector = Injector("arguments")

  init() throws {
    #if canImport(PlugOperations)
      injector.recordDependencies()
    #endif
    try injector.register(injectable: .singleton(7))
  }

  @Test("make a new instance for each request, together with other services")
  func factory() throws {
    try injector.register((any Detail).self, taking: Region.self) { region, injector in
      LiveDetail("\(region.name) \(try injector.get(Int.self))")
    }
    let first: any Detail = try injector.get(with: Region(name: "north"))
    let second = try injector.get((any Detail).self, with: Region(name: "north"))
    #expect([first.text, second.text] == ["north 7", "north 7"])
    #expect(first as AnyObject !== second as AnyObject)
    #expect(
      injector.graph().description == """
        Detail(Region) (factory)
          Int (singleton, constructed)
        """)
  }

  @Test("share one instance if they are equal")
  func lazySingleton() throws {
    try injector.register(keeping: .lazySingleton)
    let first = try injector.detail(1, "one")
    #expect(first.text == "1 one 7")
    #expect(try injector.detail(1, "one") === first)
    #expect(try injector.detail(1, "two") !== first)
    #expect(try injector.detail(2, "one") !== first)
    #expect(try injector.makeScope().detail(1, "one") === first)
  }

  @Test("with equal hashes but different values have different instances")
  func collisions() throws {
    try injector.register(String.self, taking: Colliding.self, lifetime: .lazySingleton) { value, _ in
      "\(value.number)"
    }
    #expect(
      try (0..<50).map { try injector.get(String.self, with: Colliding(number: $0)) } == (0..<50).map(String.init))
  }

  @Test("share one instance per scope while the scope is open")
  func scoped() throws {
    let living = LivingCount()
    try injector.register(Tracked.self, taking: UserID.self, lifetime: .scoped) { _, _ in Tracked(living) }
    let scopes = [injector.makeScope(), injector.makeScope()]
    let ids = [1, 1, 2].map(UserID.init)
    for scope in scopes { for id in ids { _ = try scope.get(Tracked.self, with: id) } }
    #expect(living.total == 4)
    #expect(living.current == 4)
    scopes[0].closeNow()
    #expect(living.current == 2)
    scopes[1].closeNow()
    #expect(living.current == 0)
    #expect(throws: InjectorError.self) { try injector.get(Tracked.self, with: ids[0]) }
    #expect(throws: InjectorError.self) { try scopes[0].get(Tracked.self, with: ids[0]) }
  }

  @Test("of wrong types throw an error that lists the right types")
  func mismatch() throws {
    try injector.register(
      (any Detail).self, taking: UserID.self, String.self, fileID: "Shop/Main.swift", line: 3
    ) { _, name, _ in LiveDetail(name) }
    try injector.register((any Detail).self, taking: Region.self) { region, _ in LiveDetail(region.name) }
    let errors = [
      #expect(throws: InjectorError.self) { try injector.get((any Detail).self, with: "one", UserID(number: 1)) },
      #expect(throws: InjectorError.self) { try injector.get((any Detail).self) },
      #expect(throws: InjectorError.self) { try injector.get(Int.self, with: 3) },
      #expect(throws: InjectorError.self) { try injector.get(Bool.self, with: 3) },
    ].map { $0?.description.split(separator: "\n").first }
    #expect(
      errors == [
        "get((any Detail).self, with: …) failed: Detail takes (Region) or (UserID, String), but got (String, UserID).",
        "get((any Detail).self) failed: Detail takes (Region) or (UserID, String), but got no arguments.",
        "get(Int.self, with: …) failed: Int takes no arguments, but got (Int).",
        "get(Bool.self, with: …) failed: nothing is registered for Bool(Int).",
      ])
    let error = #expect(throws: InjectorError.self) { try injector.get((any Detail).self, with: 3) }
    guard case .argumentsMismatch(_, let expected, let found) = try #require(error) else { throw try #require(error) }
    #expect(Set(expected) == [["UserID", "String"], ["Region"]])
    #expect(found == ["Int"])
  }

  @Test("of wrong types, or without a registration, throw a complete explanation")
  func messages() throws {
    try injector.register(
      (any Detail).self, taking: UserID.self, fileID: "Shop/Main.swift", line: 3
    ) { _, _ in LiveDetail("") }
    let mismatch = #expect(throws: InjectorError.self) { try injector.get((any Detail).self, with: "one") }
    #expect(
      mismatch?.description == """
        get((any Detail).self, with: …) failed: Detail takes (UserID), but got (String).
          service:        Detail
          injector:       arguments
          chain:          Detail
          asked at:       \(place(mismatch))
          registered at:  Shop/Main.swift:3
        To fix this:
          - Pass arguments of these types, in this order: try Injector["arguments"].get((any Detail).self, with: …).
          - Or register it for (String) too.
        """)
    let absence = #expect(throws: InjectorError.self) { try Injector().get((any Detail).self, with: "one", 3) }
    #expect(
      absence?.description == """
        get((any Detail).self, with: …) failed: nothing is registered for Detail(String, Int).
          service:        Detail(String, Int)
          injector:       (unnamed)
          chain:          Detail(String, Int)
          asked at:       \(place(absence))
        To fix this:
          - Register it before you ask for it: try register((any Detail).self, taking: String.self, Int.self) { … }.
        """)
  }

  @Test("of the same types are registered once, unless the injector allows rewriting, and can be unregistered")
  func registration() throws {
    try injector.register(keeping: .lazySingleton)
    let error = #expect(throws: InjectorError.self) { try injector.register(keeping: .factory) }
    guard case .alreadyRegistered = try #require(error) else { throw try #require(error) }
    #expect(injector.isRegistered((any Detail).self, taking: UserID.self, String.self))
    try injector.unregister((any Detail).self, taking: UserID.self, String.self)
    #expect(!injector.isRegistered((any Detail).self, taking: UserID.self, String.self))
    #expect(throws: InjectorError.self) {
      try injector.unregister((any Detail).self, taking: UserID.self, String.self)
    }
    try injector.seal()
    #expect(throws: InjectorError.self) { try injector.register(keeping: .factory) }
  }

  @Test("of instances that need each other are a cycle only if they are equal")
  func circle() throws {
    try injector.register(String.self, taking: Int.self, lifetime: .lazySingleton) { number, injector in
      number == 0 ? "end" : try injector.get(String.self, with: number - 1) + " \(number)"
    }
    #expect(try injector.get(String.self, with: 3) == "end 1 2 3")
    try injector.register(Bool.self, taking: Int.self, lifetime: .lazySingleton) { number, injector in
      try injector.get(Bool.self, with: (number + 1) % 2)
    }
    let error = #expect(throws: InjectorError.self) { try injector.get(Bool.self, with: 0) }
    guard case .circularDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Bool(Int)", "Bool(Int)", "Bool(Int)"])
  }

  @Test("of a provider are checked at compile time, and equal ones share an instance")
  @MainActor
  func provider() throws {
    #expect(injector.page(3, Region(name: "north")) == "3 in north of 7")
    #expect(try injector.page.get(4, Region(name: "south")) == "4 in south of 7")
    #expect(injector.keptPage(1) === injector.keptPage(1))
    #expect(injector.keptPage(2).number == 2)
    #expect(
      injector.graph().nodes.map(\.name) == ["Int", "\\.keptPage", "\\.page"])
  }

  @Test("make instances that decorators wrap, but none can be added once an instance exists")
  func decorated() throws {
    try injector.decorate(String.self, id: "loud") { inner, _ in inner.uppercased() }
    try injector.register(String.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in
      "number \(number)"
    }
    #expect(try injector.get(String.self, with: 3) == "NUMBER 3")
    #expect(
      injector.graph().nodes.first { $0.service.hasPrefix("String") }?.decorators == ["loud"])
    let error = #expect(throws: InjectorError.self) { try injector.decorate(String.self) { inner, _ in inner } }
    guard case .instanceExists = try #require(error) else { throw try #require(error) }
  }

  @Test("release their instances when they are unregistered, and a failed instance is not kept")
  func released() throws {
    let living = LivingCount()
    try injector.register(Tracked.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in
      if number < 0 { throw Failure() }
      return Tracked(living)
    }
    for number in -3..<3 { _ = try? injector.get(Tracked.self, with: number) }
    #expect(living.current == 3)
    try injector.unregister(Tracked.self, taking: Int.self)
    #expect(living.current == 0)
    let error = #expect(throws: InjectorError.self) { try injector.unregister(Tracked.self, taking: Int.self) }
    #expect(
      try #require(error).description.hasPrefix("unregister(Tracked.self, taking: Int.self) was refused"))
  }

  @Test("may differ when a service needs itself, and validation accepts that")
  func recursion() throws {
    try injector.register(String.self, taking: Int.self) { number, injector in
      number == 0 ? "0" : try injector.get(String.self, with: number - 1) + "\(number)"
    }
    #expect(try injector.get(String.self, with: 3) == "0123")
    #expect(try injector.validate().problems.isEmpty)
  }

  @Test("match by their static types, and the error says how to cast")
  func existential() throws {
    try injector.register(Int.self, tag: "length", taking: (any Detail).self) { detail, _ in detail.text.count }
    let detail = LiveDetail("four")
    let error = #expect(throws: InjectorError.self) { try injector.get(Int.self, tag: "length", with: detail) }
    let lines = try #require(error).description.split(separator: "\n")
    #expect(lines[0].hasSuffix("takes (any Detail), but got (LiveDetail)."))
    #expect(
      lines.contains("  - Arguments match by their static types. Cast where they differ: value as any P, value as P?."))
    #expect(try injector.get(Int.self, tag: "length", with: detail as any Detail) == 4)
  }
}
