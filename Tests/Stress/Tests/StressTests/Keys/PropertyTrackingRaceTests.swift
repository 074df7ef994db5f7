import Observation
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("A property with Swift's Observation under several threads", .repeatable, .serialized)
struct PropertyTrackingRaceTests {
  @Test("that is read while it changes reports that change or a later one", arguments: [1, 3])
  func trackingRace(writers: Int) throws {
    try race(threads: 1 + writers) { _ in
      (injector: Injector(), told: Counter())
    } body: { subject, thread in
      if thread > 0 {
        for _ in 0..<4 { subject.injector.update(Volume.self) { $0 += 1 } }
      } else {
        withObservationTracking {
          _ = subject.injector[Volume.self]
        } onChange: {
          subject.told.increment()
        }
      }
    } check: { subject, _ in
      subject.injector.update(Volume.self) { $0 += 1 }
      // Observation may report one change several times if several threads make changes.
      #expect(subject.told.value >= 1)
      #expect(subject.injector[Volume.self] == 4 * writers + 1)
    }
  }

  @Test("of a scope releases its observers after the scope has ended", arguments: [1, 8])
  func trackingEnds(threads: Int) throws {
    let observers = LivingCount()
    try race(threads: threads) { _ in
      let scope = Injector().makeScope("scope")
      scope[Theme.self] = "blue"
      return scope
    } body: { (scope: Injector, _) in
      _ = scope[Theme.self]
      let observer = Tracked(observers)
      withObservationTracking {
        _ = (scope[Theme.self], scope[Theme.self])
      } onChange: {
        withExtendedLifetime(observer) {}
      }
    } check: { scope, _ in
      #expect(observers.current == threads)
      scope.closeNow()
      #expect(observers.current == 0)
    }
  }
}
