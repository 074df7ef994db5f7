import PlugKeys
import TestSupport
import Testing

@testable import Plug

private final class Page: Sendable {}

private struct Layer<Inner>: Sendable {
  let origin: String
}

private final class Step: Sendable {
  let number: Int
  let log: Log

  init(_ number: Int, _ log: Log) {
    (self.number, self.log) = (number, log)
  }

  deinit { log.add("\(number)") }
}

private enum Language: Property { static let defaultValue = "en" }

private enum Attribute<Layer: Sendable>: Property { static var defaultValue: Step? { nil } }

/// Calls `body` with ever deeper types, all of them different.
private func eachLayer<Inner>(
  _ type: Inner.Type, _ count: Int, _ body: (any Visiting.Type) throws -> Void
) rethrows {
  if count == 0 { return }
  try body(Layer<Inner>.self)
  try eachLayer(Layer<Inner>.self, count - 1, body)
}

private protocol Visiting: Sendable {
  static func register(in injector: Injector, as origin: String) throws
  static func origin(in injector: Injector) throws -> String
  static func setting(in injector: Injector) throws -> Step?
  static func set(_ step: Step, in injector: Injector) throws
}

extension Layer: Visiting {
  static func register(in injector: Injector, as origin: String) throws {
    try injector.register(injectable: .singleton(Layer(origin: origin)))
  }

  static func origin(in injector: Injector) throws -> String { try injector.get(Layer.self).origin }
  static func setting(in injector: Injector) throws -> Step? { try injector.get(Attribute<Layer>.self) }
  static func set(_ step: Step, in injector: Injector) throws { try injector.set(Attribute<Layer>.self, to: step) }
}

@Suite("The lookup in a scope")
struct ScopeLookupTests {
  @Test("finds the scope's own registration, however many keys share a mark", arguments: [false, true])
  func marks(isSealed: Bool) throws {
    let services = Injector()
    try eachLayer(Int.self, 200) { try $0.register(in: services, as: "services") }
    if isSealed { try services.seal() }
    let scope = services.makeScope()
    var expected: [String] = []
    try eachLayer(Int.self, 200) { layer in
      #expect(try layer.origin(in: scope) == "services")
      let isOwn = expected.count % 3 == 0
      if isOwn { try layer.register(in: scope, as: "scope") }
      expected.append(isOwn ? "scope" : "services")
    }
    let inner = scope.makeScope()
    var (found, foundInside): ([String], [String]) = ([], [])
    try eachLayer(Int.self, 200) { layer in
      found.append(try layer.origin(in: scope))
      foundInside.append(try layer.origin(in: inner))
    }
    #expect(found == expected)
    #expect(foundInside == expected)
  }

  @Test("finds one instance of each of many scoped services, which end with the scope", arguments: [1, 8, 9, 1000])
  func many(count: Int) throws {
    let log = Log()
    let services = Injector()
    for number in 0..<count {
      try services.register(tag: "\(number)", injectable: .scoped { Step(number, log) })
    }
    try services.seal()
    let scope = services.makeScope()
    for _ in 0..<2 {
      for number in 0..<count {
        #expect(try scope.get(Step.self, tag: "\(number)").number == number)
      }
    }
    #expect(log.lines == [])
    scope.closeNow()
    #expect(log.lines.compactMap { Int($0) }.sorted() == Array(0..<count))
  }

  @Test("is refused when the scope or its parent is closed")
  func closed() throws {
    let services = Injector("services")
    try services.register(injectable: .lazySingleton { Page() })
    _ = try services.get(Page.self)
    try services.seal()
    let (scope, other) = (services.makeScope("request"), services.makeScope("other"))
    let inner = scope.makeScope("inner")
    _ = (try inner.get(Page.self), try other.get(Page.self))
    scope.closeNow()
    #expect(throws: InjectorError.self) { try scope.get(Page.self) }
    #expect(throws: InjectorError.self) { try inner.get(Page.self) }
    _ = try other.get(Page.self)
    services.closeNow()
    let error = #expect(throws: InjectorError.self) { try other.get(Page.self) }
    guard case .closed = error else { throw try #require(error) }
  }

  @Test("of an inherited property follows the parent until the scope sets it")
  func property() throws {
    let services = Injector()
    services[Language.self] = "de"
    try services.seal()
    let scope = services.makeScope()
    #expect(scope[Language.self] == "de")
    #expect(try scope.get(Language.self) == "de")
    services[Language.self] = "nl"
    #expect(scope[Language.self] == "nl")
    scope[Language.self] = "fr"
    services[Language.self] = "it"
    #expect(scope[Language.self] == "fr")
  }

  @Test("finds a decorated service in a decorating scope, also after earlier requests")
  func decorated() throws {
    let services = Injector()
    try services.register(as: String.self, injectable: .factory { "page" })
    try services.seal()
    let scope = services.makeScope()
    let inner = scope.makeScope()
    #expect(try inner.get(String.self) == "page")
    try scope.decorate(String.self) { page, _ in "<\(page)>" }
    #expect(try scope.get(String.self) == "<page>")
    #expect(try inner.get(String.self) == "<page>")
    #expect(try services.makeScope().get(String.self) == "page")
  }

  @Test(
    "finds each value until the scope is closed, with or without registrations", arguments: [1, 2, 40]
  )
  func properties(count: Int) throws {
    for (isSealed, registers) in [(false, false), (true, false), (false, true), (true, true)] {
      let log = Log()
      let services = Injector("services")
      try eachLayer(Int.self, count) { try $0.set(Step(-1, log), in: services) }
      if isSealed { try services.seal() }
      var (number, scope): (Int, Injector) = (0, services.makeScope("request"))
      try eachLayer(Int.self, count) { layer in
        if registers { try layer.register(in: scope, as: "scope") }
        try layer.set(Step(number, log), in: scope)
        number += 1
      }
      number = 0
      try eachLayer(Int.self, count) { layer in
        let found = try [scope, scope.makeScope("inner"), services].map { try layer.setting(in: $0)?.number }
        #expect(found == [number, number, -1])
        if registers { #expect(try layer.origin(in: scope) == "scope") }
        number += 1
      }
      #expect(log.lines == [])
      scope.closeNow()
      #expect(log.lines.compactMap { Int($0) }.sorted() == Array(0..<count))
      try eachLayer(Int.self, count) { layer in
        let error = try #require(throws: InjectorError.self) { try layer.set(Step(-2, log), in: scope) }
        guard case .closed = error else { throw error }
      }
      scope = services.makeScope("request")
      var found: [Int?] = []
      try eachLayer(Int.self, count) { found.append(try $0.setting(in: scope)?.number) }
      #expect(found == Array(repeating: -1, count: count))
    }
  }
}
