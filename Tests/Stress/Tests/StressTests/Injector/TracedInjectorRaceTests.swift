import PlugOperations
import Synchronization
import TestSupport
import Testing

@testable import Plug

private struct Outer: Sendable {
  let inner: Inner
}

private final class Inner: Sendable {}

private func makeServices(isSealed: Bool) throws -> Injector {
  let services = Injector("shop")
  try services.register { Inner() }
  try services.register(injectable: .factory(wiring: Outer.init))
  try services.register(
    PluginPoint<String, Int>("sizes") {
      Candidate("large", .factory { "large" }).when(Rule("is large") { $0 > 10 })
      Candidate("small") { "small" }
    })
  if isSealed { try services.seal() }
  return services
}

@Suite("Tracers that are added and removed under several threads", .repeatable, .serialized)
struct TracedInjectorRaceTests {
  @Test("do not change the instances that eight threads get", arguments: [false, true])
  func race(isSealed: Bool) throws {
    try TestSupport.race(threads: 9) { _ in
      let services = try makeServices(isSealed: isSealed)
      return (services, services.makeScope("scope"), Counter(), Log())
    } body: { subject, thread -> Set<ObjectIdentifier> in
      let (services, scope, finished, log) = subject
      var turn = 0
      while thread == 8, finished.value < 8 {
        turn += 1
        let token = (turn.isMultiple(of: 2) ? services : scope).trace { log.add("\($0.service)") }
        if !isSealed {
          _ = try? services.register(tag: Injector.Tag(rawValue: "\(turn)"), injectable: .singleton(turn))
        }
        token.cancel()
      }
      if thread == 8 { return [] }
      var seen: Set<ObjectIdentifier> = []
      for turn in 0..<200 {
        let injector = turn.isMultiple(of: 3) ? scope : services
        if let inner = try? injector.get(Inner.self) { seen.insert(ObjectIdentifier(inner)) }
        if let outer = try? injector.get(Outer.self) { seen.insert(ObjectIdentifier(outer.inner)) }
        _ = try? injector.get(String.self, in: turn)
      }
      finished.increment()
      return seen
    } check: { subject, seen in
      #expect(Set(seen.joined()).count == 1)
      #expect(subject.0.state.withLock { $0.hooks } == 0 && subject.0.isSealed == isSealed)
      #expect(Set(subject.3.lines).isSubset(of: ["Inner", "Outer", "String", "String [small]", "String [large]"]))
    }
  }
}
