import TestSupport
import Testing

@testable import Plug

private struct UserID: Hashable, Sendable {
  let number: Int
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

extension Injector {
  fileprivate func register(keeping lifetime: ArgumentsLifetime<UserID, String>) throws {
    try register((any Detail).self, taking: UserID.self, String.self, lifetime: lifetime) { id, name, injector in
      LiveDetail("\(id.number) \(name) \(try injector.get(Int.self))")
    }
  }
}

@Suite("Arguments under several threads", .repeatable)
struct InjectorArgumentsRaceTests {
  @Test("Eight threads that make the first requests with equal arguments get one instance")
  func race() throws {
    try TestSupport.race(
      threads: 8,
      makeSubject: { _ in
        let injector = Injector()
        try injector.register(injectable: .singleton(7))
        try injector.register(keeping: .lazySingleton)
        return injector
      },
      body: { injector, thread in
        (try? injector.get((any Detail).self, with: UserID(number: thread % 2), "race") as? LiveDetail)
          .map(ObjectIdentifier.init)
      },
      check: { _, outcomes in
        #expect(Set(outcomes.compactMap(\.self)).count == 2)
        #expect(outcomes[0] == outcomes[2] && outcomes[1] == outcomes[7])
      })
  }
}
