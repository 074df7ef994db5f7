import TestSupport
import Testing

@testable import Plug

/// Records the injector that its factory was handed, and counts its closings.
private final class Logbook: Sendable {
  let owner: UInt
  let closings = Counter()

  init(_ injector: Injector) {
    owner = injector.number
  }
}

@Suite("The owner of an instance under several threads", .repeatable, .serialized)
struct OwnerRaceTests {
  @Test("is the injector with its registration, although a scope registers the service meanwhile", arguments: [2, 4])
  func race(threads: Int) throws {
    try TestSupport.race(threads: threads) { _ -> (root: Injector, scope: Injector) in
      let root = Injector()
      try root.register(injectable: .lazySingleton { Logbook($0) }.onClose { $0.closings.increment() })
      return (root, root.makeScope())
    } body: { subject, thread -> Logbook? in
      if thread > 0 { return try? subject.scope.get(Logbook.self) }
      _ = try? subject.scope.register(injectable: .lazySingleton { Logbook($0) })
      return nil
    } check: { subject, outcomes in
      subject.scope.closeNow()
      let ofRoot = try subject.root.get(Logbook.self)
      #expect(ofRoot.owner == subject.root.number)
      #expect(ofRoot.closings.value == 0)
      for made in outcomes.compactMap(\.self) {
        #expect(made === ofRoot || made.owner == subject.scope.number)
      }
    }
  }

  @Test("is not the requesting scope if another thread replaces the scoped registration", arguments: [2, 8])
  func replacedMeanwhile(threads: Int) throws {
    try TestSupport.race(threads: threads) { _ -> (root: Injector, scope: Injector) in
      let root = Injector(allowRewrite: true)
      try root.register(injectable: .scoped { Logbook($0) })
      return (root, root.makeScope())
    } body: { subject, thread -> Logbook? in
      if thread > 0 { return try? subject.scope.get(Logbook.self) }
      let given = Logbook(subject.root)
      _ = try? subject.root.register(injectable: .singleton(given).onClose { $0.closings.increment() })
      return given
    } check: { subject, outcomes in
      subject.scope.closeNow()
      let given = try #require(outcomes[0])
      #expect(given.closings.value == 0)
      for made in outcomes.compactMap(\.self) {
        #expect(made === given || made.owner == subject.scope.number)
      }
      subject.root.closeNow()
      #expect(given.closings.value == 1)
    }
  }

  @Test("for arguments is the injector with its registration", arguments: [2, 4])
  func arguments(threads: Int) throws {
    try TestSupport.race(threads: threads) { _ -> (root: Injector, scope: Injector) in
      let root = Injector()
      try root.register(Logbook.self, taking: Int.self, lifetime: .lazySingleton) { _, injector in
        Logbook(injector)
      }
      return (root, root.makeScope())
    } body: { subject, thread -> Logbook? in
      if thread > 0 { return try? subject.scope.get(Logbook.self, with: 1) }
      _ = try? subject.scope.register(Logbook.self, taking: Int.self, lifetime: .lazySingleton) { _, injector in
        Logbook(injector)
      }
      return nil
    } check: { subject, outcomes in
      let ofRoot = try subject.root.get(Logbook.self, with: 1)
      #expect(ofRoot.owner == subject.root.number)
      for made in outcomes.compactMap(\.self) {
        #expect(made === ofRoot || made.owner == subject.scope.number)
      }
    }
  }
}
