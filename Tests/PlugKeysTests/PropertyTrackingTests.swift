import Observation
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("A property that Swift's Observation tracks", .serialized)
struct PropertyTrackingTests {
  /// Notes the value that an injector has, and that it will change.
  private func track(_ injector: Injector, _ log: Log) {
    withObservationTracking {
      log.add(injector[Theme.self])
    } onChange: {
      log.add("will change")
    }
  }

  @Test("announces changes, also in a scope")
  func tracking() {
    let injector = Injector()
    let scope = injector.makeScope("scope")
    let log = Log()
    track(scope, log)
    injector[Theme.self] = "dark"
    track(scope, log)
    scope[Theme.self] = "blue"
    injector[Nickname.self] = "bo"
    #expect(log.lines == ["light", "will change", "dark", "will change"])
  }

  @Test("announces changes in a scope that inherits it, also when the scope sets its own value", arguments: [1, 3])
  func trackingOfTheFirstValue(depth: Int) {
    for isSealed in [false, true] {
      let injector = Injector()
      injector[Theme.self] = "dark"
      if isSealed { #expect(throws: Never.self) { try injector.seal() } }
      let scope = (0..<depth).reduce(injector) { scope, _ in scope.makeScope() }
      let log = Log()
      track(scope, log)
      scope[Theme.self] = "blue"
      track(scope, log)
      scope.update(Theme.self) { $0 += "ish" }
      track(scope, log)
      injector[Theme.self] = "light"
      scope.reset(Theme.self)
      track(scope, log)
      injector[Theme.self] = "red"
      #expect(
        log.lines == [
          "dark", "will change", "blue", "will change", "blueish", "will change", "light", "will change",
        ])
    }
  }

  @Test("announces a change again to an observer that reads the property during the first announcement")
  func trackingInBetween() {
    let injector = Injector()
    let log = Log()
    withObservationTracking {
      _ = injector[Volume.self]
    } onChange: {
      // The new value is not there yet.
      withObservationTracking {
        log.add("saw \(injector[Volume.self])")
      } onChange: {
        log.add("told again, \(injector[Volume.self])")
      }
    }
    injector[Volume.self] = 1
    #expect(log.lines == ["saw 0", "told again, 1"])
  }

  @Test("announces nothing to a closure that only updates it")
  func trackingOfUpdates() {
    let injector = Injector()
    let log = Log()
    injector[Volume.self] = 3
    withObservationTracking {
      injector.update(Volume.self) { $0 += 1 }
    } onChange: {
      log.add("will change")
    }
    injector[Volume.self] = 7
    #expect(log.lines == [])
  }

  @Test("announces a change to each reader, even if the scope's value was read before")
  func trackingLater() {
    let scope = Injector().makeScope("scope")
    let log = Log()
    scope[Theme.self] = "blue"
    for reader in ["first", "second"] {
      log.add(scope[Theme.self])
      withObservationTracking {
        log.add(scope[Theme.self])
      } onChange: {
        log.add("\(reader) is told")
      }
    }
    scope[Theme.self] = "red"
    scope[Theme.self] = "green"
    #expect(log.lines.sorted() == ["blue", "blue", "blue", "blue", "first is told", "second is told"])
  }
}
