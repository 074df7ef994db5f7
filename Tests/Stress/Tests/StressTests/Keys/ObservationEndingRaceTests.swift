import Synchronization
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private final class Flag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

/// Two closures, each of which cancels the other.
private final class Crosswise: Sendable {
  let injector = Injector()
  let calls = Counter()
  private let tokens = Locked<[ObservationToken]>([])

  init() {
    let first = injector.observe(Volume.self) { [unowned self] _ in cancel(1) }
    let second = injector.observe(Version.self) { [unowned self] _ in cancel(0) }
    tokens.withLock { $0 = [first, second] }
  }

  func set(_ thread: Int) {
    if thread == 0 { injector[Volume.self] = 1 } else { injector[Version.self] = 1 }
  }

  private func cancel(_ other: Int) {
    calls.increment()
    tokens.withLock { $0 }[other].cancel()
  }
}

@Suite("Ending the observation of a property under several threads", .repeatable, .serialized)
struct ObservationEndingRaceTests {
  @Test("of a scope that is closed meanwhile leaves no observer in the outer injector")
  func closingRace() throws {
    let closures = LivingCount()
    try TestSupport.race(threads: 2) { _ in
      let injector = Injector()
      injector[Volume.self] = 1
      let scope = injector.makeScope()
      return (injector: injector, scope: scope)
    } body: { subject, thread in
      if thread == 0 { return subject.scope.closeNow() }
      let closure = Tracked(closures)
      _ = try? subject.scope.observe(Volume.self, sendsCurrentValue: false, (#fileID, #line)) { _ in
        withExtendedLifetime(closure) {}
      }
    } check: { subject, _ in
      #expect(closures.current == 0)
      withExtendedLifetime(subject) {}
    }
  }

  @Test("calls no closure after cancel has returned, while other threads set", arguments: [2, 8])
  func cancelRace(threads: Int) throws {
    try TestSupport.race(threads: threads) { _ in
      let injector = Injector()
      let late = Counter()
      let isCancelled = Flag()
      let token = injector.observe(Version.self) { _ in
        if isCancelled.isSet { late.increment() }
      }
      return (injector, token, isCancelled, late)
    } body: { subject, thread in
      if thread == 0 {
        subject.1.cancel()
        subject.2.set()
      } else {
        for _ in 0..<20 { subject.0.update(Version.self) { $0 += 1 } }
      }
    } check: { subject, _ in
      #expect(subject.3.value == 0)
    }
  }

  @Test("does not wait when two closures on two threads cancel each other")
  func crossCancel() throws {
    try TestSupport.race(threads: 2) { _ in
      Crosswise()
    } body: { subject, thread in
      subject.set(thread)
    } check: { subject, _ in
      subject.injector[Volume.self] = 9
      subject.injector[Version.self] = 9
      #expect(subject.calls.value <= 2)
    }
  }

  @Test("that begins while the injector is closed ends as well", arguments: [2, 8])
  func closingRace(threads: Int) throws {
    try TestSupport.race(threads: threads) { _ in
      let injector = Injector()
      let ended = Counter()
      return (injector, ended)
    } body: { (subject: (Injector, Counter), thread) -> ObservationToken? in
      if thread == 0 {
        subject.0.closeNow()
        return nil
      }
      return try? subject.0.observe(
        Volume.self, sendsCurrentValue: false, (#fileID, #line), onEnd: { subject.1.increment() }, { _ in })
    } check: { subject, tokens in
      #expect(subject.1.value == tokens.compactMap(\.self).count)
    }
  }

  @Test("of a feature in a scope ends when the scope is closed, although threads set the feature meanwhile")
  func featureInClosedScope() throws {
    try TestSupport.race(threads: 2) { _ in
      Injector()
    } body: { injector, thread in
      for number in 0..<5 {
        if thread == 0 {
          injector[WallClock.self] = .constant(number)
        } else {
          let scope = injector.makeScope("scope")
          let token = scope.observe(WallClock.self) { _ in }
          scope.closeNow()
          token.cancel()
        }
      }
    } check: { injector, _ in
      #expect(injector[WallClock.self].now() == 4)
    }
  }
}
