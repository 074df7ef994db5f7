import Plug
import Testing

private protocol Sink: Sendable {}
private struct FileSink: Sink {}
private final class Log: Sendable {}

@Suite("An injected property")
struct InjectedLookUpTests {
  @Test("of a scoped object does not keep the scope alive after its first read")
  func properties() throws {
    final class Screen: @unchecked Sendable {
      @Injected var log: Log
      init(_ injector: Injector) { _log = Injected(injector: injector) }
    }
    let root = Injector()
    try root.register { Log() }
    try root.register(injectable: .scoped { Screen($0) })
    weak var known: Injector?
    do {
      let scope = root.makeScope()
      known = scope
      _ = try scope.get(Screen.self).log
    }
    #expect(known == nil)
  }

  @Test("of a list looks its services up again while none is registered")
  func lists() throws {
    final class Screen: @unchecked Sendable {
      @Injected var sinks: [any Sink]
      init(_ injector: Injector) { _sinks = Injected(injector: injector) }
    }
    let root = Injector()
    let screen = Screen(root)
    #expect(screen.sinks.isEmpty)
    try root.contribute((any Sink).self, .factory { FileSink() })
    #expect(screen.sinks.count == 1)
  }
}
