import TestSupport
import Testing

@testable import Plug

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

private enum Currency: Property { static let defaultValue = "EUR" }

private enum Attribute<Layer: Sendable>: Property { static var defaultValue: Step? { nil } }

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

@Suite("What a scope has under several threads", .repeatable)
struct ScopeLookupRaceTests {
  @Test("is one state of each property that threads set at once, while one closes the scope", arguments: [false, true])
  func properties(isClosed: Bool) throws {
    let services = Injector()
    try services.seal()
    try race(
      threads: 8,
      makeSubject: { _ in services.makeScope() },
      body: { (scope: Injector, thread) -> String? in
        if isClosed, thread == 7 { scope.closeNow() }
        if thread % 2 == 0 {
          try? scope.set(Language.self, to: "\(thread)")
          return try? scope.get(Language.self)
        }
        try? scope.set(Currency.self, to: "\(thread)")
        return try? scope.get(Currency.self)
      },
      check: { scope, seen in
        let known: [Set<String>] = [["0", "2", "4", "6"], ["1", "3", "5", "7"]]
        for (thread, value) in seen.enumerated() where !isClosed || value != nil {
          let value = try #require(value)
          #expect(known[thread % 2].contains(value))
        }
        #expect(scope.registrations.stored.count == (isClosed ? 0 : 2))
      })
  }
}
