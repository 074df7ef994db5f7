import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Plug

private final class Page: Sendable {}

@Suite("A shared instance that exists")
struct MakingDoneTests {
  /// Whoever comes looks whether the instance exists, and then begins an attempt: meanwhile another may have made it.
  @Test("is not made a second time by one who looked before it was made")
  func lookedBefore() throws {
    let (injector, made) = (Injector(), Counter())
    try injector.register(as: Page.self) {
      made.increment()
      return Page()
    }
    let cell = try #require(injector.lookUp(Page.self, nil) as? Cell<Page>)
    let page = try injector.get(Page.self)
    #expect(!cell.beginAttempt())
    var seen: [any Sendable] = []
    #expect(!cell.reserve(&seen))
    #expect(try cell.request(for: injector) === page)
    let maker = cell.maker.load(ordering: .relaxed)
    #expect(made.value == 1 && maker == Making.nobody)
  }
}

@Suite("A shared instance whose injector is closed while it is made")
struct MakingClosedTests {
  @Test("is closed when those who wait for it have been told")
  func closed() throws {
    let injector = Injector("shop")
    let (begun, told) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let log = Log()
    try injector.register(
      injectable: .lazySingleton { injector in
        begun.signal()
        // So that the other thread comes to wait, in all likelihood.
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
