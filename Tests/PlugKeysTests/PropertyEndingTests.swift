import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("A property of a closed injector", .serialized)
struct PropertyEndingTests {
  @Test("throws from get, and ends the program when it is read with a subscript")
  func closed() async throws {
    let scope = Injector("services").makeScope("request")
    await scope.close()
    #expect(throws: InjectorError.self) { try scope.get(Theme.self) }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { readClosed() }
    let expected = """
      \(#fileID):\(readClosedLine): Fatal error: Injector("services/request")[Theme.self] cannot be read.
      Theme cannot be resolved or registered: the injector is closed.
        service:        Theme
        injector:       services/request
        chain:          Theme
        asked at:       \(#fileID):\(readClosedLine)
      To fix this:
        - Get the services that you need before you close the injector, and keep no object that asks it later.
        - Or open another scope: makeScope("…").
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }

  @Test("cannot be read through a scope of the injector")
  func closedOutside() {
    let injector = Injector("services")
    let scope = injector.makeScope("request")
    #expect(scope[Theme.self] == "light")
    injector.closeNow()
    #expect { try scope.get(Theme.self) } throws: { error in
      guard case InjectorError.closed(let facts) = error else { return false }
      return facts.injector == "services/request"
    }
  }
}

private let readClosedLine = #line + 5

private func readClosed() {
  let scope = Injector("services").makeScope("request")
  scope.closeNow()
  _ = scope[Theme.self]
}
