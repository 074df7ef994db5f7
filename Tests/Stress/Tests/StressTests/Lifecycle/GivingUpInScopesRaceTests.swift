import TestSupport
import Testing

@testable import Plug

extension Injector {
  fileprivate var overridable: Provider<Log> { provide(.scoped { Log() }) }
}

@Suite("An instance of a scope under several threads", .repeatable)
struct GivingUpInScopesRaceTests {
  @Test(
    "of a provider is closed as often as it is made, while another thread overrides the provider",
    arguments: [false, true], [false, true])
  func race(isSealed: Bool, isDecorated: Bool) throws {
    try TestSupport.race(threads: 6) { _ -> (Injector, Counter, Counter) in
      let (made, closed) = (Counter(), Counter())
      let injector = Injector()
      try injector.overridable.override(
        .scoped {
          made.increment()
          return Log()
        }.onClose { _ in closed.increment() })
      if isSealed { try injector.seal() }
      let scope = injector.makeScope()
      if isDecorated { try scope.overridable.decorate { inner, _ in inner } }
      return (scope, made, closed)
    } body: { it, thread in
      if thread == 0 {
        try? it.0.overridable.override(.scoped { Log() })
      } else {
        for _ in 0..<3 { _ = it.0.overridable() }
      }
    } check: { it, _ in
      it.0.closeNow()
      // A request that began before the override may make one more instance of the overridden provider.
      #expect(it.1.value <= 2)
      #expect(it.2.value == it.1.value)
    }
  }
}
