import Plug
import Testing

private final class Log: Sendable {}

@Suite("A service made from arguments")
struct ResetArgumentsTests {
  @Test("is made again after a reset")
  func arguments() throws {
    let injector = Injector()
    try injector.register(Log.self, taking: Int.self, lifetime: .lazySingleton) { _, _ in Log() }
    let first = try injector.get(Log.self, with: 1)
    #expect(try injector.get(Log.self, with: 1) === first)
    try injector.reset(Log.self)
    let second = try injector.get(Log.self, with: 1)
    #expect(second !== first)
    injector.reset()
    #expect(try injector.get(Log.self, with: 1) !== second)
  }
}
