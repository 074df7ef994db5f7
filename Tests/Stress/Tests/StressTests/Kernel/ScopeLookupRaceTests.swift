import PlugKeys
import TestSupport
import Testing

@testable import Plug

private enum Language: Property { static let defaultValue = "en" }

private enum Currency: Property { static let defaultValue = "EUR" }

@Suite("The properties of a scope under several threads", .repeatable)
struct ScopeLookupRaceTests {
  @Test("are consistent while threads set them and one closes the scope", arguments: [false, true])
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
        #expect(scope.isClosed == isClosed)
      })
  }
}
