import TestSupport
import Testing

@testable import Plug

@Suite("An environment under several threads", .repeatable, .serialized)
struct InjectorEnvironmentRaceTests {
  private final class Owner: Sendable {
    let injector: Locked<Injector?>

    init(_ injector: Injector) {
      self.injector = Locked(injector)
    }
  }

  @Test("is the same for all threads that look it up first", arguments: [2, 8])
  func contended(threads: Int) throws {
    try race(threads: threads) { round in
      Injector.Name(rawValue: "contended \(threads)-\(round)")
    } body: { name, thread in
      thread == 0 ? ObjectIdentifier(Injector[name]) : ObjectIdentifier(Injector[name])
    } check: { _, identifiers in
      #expect(Set(identifiers).count == 1)
    }
  }

  @Test("can be looked up while its injectors are created and released", arguments: [2, 8])
  func churn(threads: Int) throws {
    let name: Injector.Name = "churn"
    try race(threads: threads) { round in
      let injector = Injector(name)
      try injector.register(injectable: .singleton(Instance("\(round)")))
      return Owner(injector)
    } body: { owner, thread in
      if thread == 0 { _ = owner.injector.withLock { $0.take() } }
      return (0..<8).compactMap { _ in
        let (optional, required) = (Injected<Instance?>(name), Injected<Instance>(name))
        return (try? required.projectedValue.get().name) ?? optional.wrappedValue?.name
      }
    } check: { _, names in
      #expect(Set(names.joined()).count <= 1)
    }
  }

  @Test("The last injector of a name is found while eight threads create one, and the first after their end")
  func last() throws {
    try race(threads: 8) { round in
      Injector(Injector.Name(rawValue: "last \(round)"))
    } body: { first, thread -> Bool in
      guard let name = first.name else { return false }
      let own = Injector(name)
      let found = Injector[name]
      own.closeNow()
      return found !== first && Injector[name] !== own
    } check: { first, outcomes in
      #expect(!outcomes.contains(false))
      let name = try #require(first.name)
      #expect(Injector[name] === first)
    }
  }
}
