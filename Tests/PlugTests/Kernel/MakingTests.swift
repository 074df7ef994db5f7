import Foundation
import Plug
import TestSupport
import Testing

private final class Page: Sendable {}

@Suite("A shared instance whose injector is closed during its construction")
struct MakingClosedTests {
  @Test("is closed after the waiting threads have been notified")
  func closed() throws {
    let injector = Injector("shop")
    let (begun, told) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let log = Log()
    try injector.register(
      injectable: .lazySingleton { injector in
        begun.signal()
        // Gives the other thread time to begin its wait.
        Thread.sleep(forTimeInterval: 0.2)
        injector.closeNow()
        return Page()
      }.onClose { _ in
        log.add(told.wait(timeout: .now() + .seconds(Watchdog.seconds)) == .success ? "told" : "still waiting")
      })
    let other = Thread {
      begun.wait()
      _ = try? injector.get(Page.self)
      told.signal()
    }
    other.start()
    #expect(throws: InjectorError.self) { try injector.get(Page.self) }
    #expect(log.lines == ["told"])
  }
}
