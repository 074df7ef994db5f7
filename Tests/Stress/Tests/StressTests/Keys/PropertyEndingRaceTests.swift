import Plug
import PlugKeys
import TestSupport
import Testing

@Suite("A property of an injector that ends under several threads", .repeatable, .serialized)
struct PropertyEndingRaceTests {
  @Test(
    "can be read by other threads while its injector is closed: they get the value, or the error",
    arguments: [false, true])
  func closing(sealed: Bool) throws {
    try race(threads: 4) { _ in
      let injector = Injector()
      injector[Theme.self] = "a theme whose name needs memory of its own"
      if sealed { try injector.seal() }
      return injector
    } body: { (injector: Injector, thread) -> [String?] in
      if thread == 0 {
        injector.closeNow()
        return []
      }
      return (0..<20).map { _ in try? injector.get(Theme.self) }
    } check: { injector, outcomes in
      let seen = Set(outcomes.joined())
      #expect(seen.isSubset(of: ["a theme whose name needs memory of its own", nil]))
      #expect((try? injector.get(Theme.self)) == nil)
    }
  }
}
