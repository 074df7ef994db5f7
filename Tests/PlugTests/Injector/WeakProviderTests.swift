import Plug
import Testing

private final class Log: Sendable {}

extension Injector {
  fileprivate var log: Provider<Log> { provide(.weakSingleton { Log() }) }
  fileprivate var weakAnswer: Provider<Int> { provide(.weakSingleton { 42 }) }
}

@Suite("A provider")
struct WeakProviderTests {
  @Test("can hold its instance weakly, unless it is a value")
  func weakProvider() throws {
    let injector = Injector()
    weak var known: Log?
    do {
      let log = injector.log()
      known = log
      #expect(injector.log() === log)
    }
    #expect(known == nil)
    #expect(throws: InjectorError.self) { try injector.weakAnswer.get() }
  }
}
