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

  @Test("A second injector of a name is refused while the first lives, and accepted after its end")
  func second() throws {
    try race(threads: 8) { round in
      let first = Injector(Injector.Name(rawValue: "second \(round)"))
      return (first, Owner(Injector[Injector.Name(rawValue: "second \(round)")]))
    } body: { subject, thread -> (isRefused: Bool, isFound: Bool) in
      guard let name = subject.0.name else { return (false, false) }
      let second = Injector(name)
      return ((try? second.seal()) == nil, Injector[name] === subject.0)
    } check: { subject, outcomes in
      #expect(outcomes.allSatisfy { $0.isRefused && $0.isFound })
      subject.0.closeNow()
      let name = try #require(subject.0.name)
      let next = Injector(name)
      try next.seal()
      #expect(Injector[name] === next)
    }
  }
}
