import Synchronization
import Testing

@testable import Plug

@Suite("Observing a property", .serialized)
struct ObservationTests {
  @Test("gives each new value in order, and the current one only if that is asked for")
  func order() {
    let injector = Injector()
    let (later, current) = (Log(), Log())
    let first = injector.observe(Theme.self) { later.add($0) }
    let second = injector.observe(Theme.self, sendsCurrentValue: true) { current.add($0) }
    for theme in ["dark", "dark", "blue"] { injector[Theme.self] = theme }
    injector.reset(Theme.self)
    injector.reset(Theme.self)
    #expect(later.lines == ["dark", "blue", "light"])
    #expect(current.lines == ["light", "dark", "blue", "light"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("gives every value whose type cannot tell whether it has changed")
  func uncomparable() {
    let injector = Injector()
    let log = Log()
    let observation = injector.observe(Uncomparable.self) { log.add("\($0.number)") }
    for number in [1, 1, 2] { injector[Uncomparable.self] = Opaque(number: number) }
    #expect(log.lines == ["1", "1", "2"])
    withExtendedLifetime(observation) {}
  }

  @Test("ends when the token is cancelled or released")
  func ending() {
    let injector = Injector()
    let log = Log()
    let cancelled = injector.observe(Volume.self) { log.add("cancelled \($0)") }
    var released: ObservationToken? = injector.observe(Volume.self) { log.add("released \($0)") }
    injector[Volume.self] = 1
    cancelled.cancel()
    cancelled.cancel()
    released = nil
    injector[Volume.self] = 2
    #expect(log.lines == ["cancelled 1", "released 1"])
    withExtendedLifetime(released) {}
  }

  @Test("in a scope gives what is seen there")
  func scopes() {
    let injector = Injector()
    let scope = injector.makeScope("scope")
    let log = Log()
    let observation = scope.observe(Theme.self) { log.add($0) }
    injector[Theme.self] = "dark"
    scope[Theme.self] = "blue"
    injector[Theme.self] = "black"
    scope.reset(Theme.self)
    #expect(log.lines == ["dark", "blue", "black"])
    withExtendedLifetime(observation) {}
  }

  @Test("lets the closure set the property: it then gets that value too, after it has returned")
  func settingInside() {
    let injector = Injector()
    let (log, other) = (Log(), Log())
    let observation = injector.observe(Volume.self) { value in
      log.add("begin \(value)")
      if value < 4 { injector[Volume.self] = value + 1 }
      log.add("end \(value)")
    }
    let second = injector.observe(Volume.self) { other.add("\($0)") }
    injector[Volume.self] = 1
    #expect(log.lines == (1...4).flatMap { ["begin \($0)", "end \($0)"] })
    #expect(other.lines == ["2", "3", "4"])
    withExtendedLifetime((observation, second)) {}
  }

  @Test("comes to rest where the closure sets a value that is right already")
  func clamping() {
    let injector = Injector()
    let log = Log()
    let observation = injector.observe(Volume.self) { value in
      log.add("\(value)")
      injector[Volume.self] = min(value, 10)
    }
    injector[Volume.self] = 99
    #expect(injector[Volume.self] == 10)
    #expect(log.lines == ["99", "10"])
    withExtendedLifetime(observation) {}
  }

  @Test("that never comes to rest ends the program with the place")
  func endless() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { setWithoutEnd() }
    let expected = """
      \(#fileID):\(setWithoutEndLine): Fatal error: observe(Volume.self) at \(#fileID):\(setWithoutEndLine) sets Volume \
      without end, each time to another value.
      To fix this:
        - Set it only where that makes a difference, so that the values come to rest.
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }

  @Test("can be cancelled by the closure itself, and by that of another")
  func cancellingInside() {
    let injector = Injector()
    let log = Log()
    let tokens = Guarded<[ObservationToken]>([])
    let first = injector.observe(Volume.self) { value in
      log.add("first \(value)")
      for token in tokens.withLock({ $0 }) { token.cancel() }
    }
    let second = injector.observe(Volume.self) { log.add("second \($0)") }
    tokens.withLock { $0 = [first, second] }
    injector[Volume.self] = 1
    injector[Volume.self] = 2
    #expect(log.lines == ["first 1"])
  }

  @Test("from four observers while eight threads set: each sees values in order, and the last one")
  func race() throws {
    try PlugTests.race(threads: 8, rounds: 500) { _ in
      let injector = Injector()
      let seen = (0..<4).map { _ in Seen() }
      let tokens = seen.map { seen in injector.observe(Version.self) { seen.add($0) } }
      return (injector, seen, tokens)
    } body: { subject, _ in
      for _ in 0..<10 { subject.0.update(Version.self) { $0 += 1 } }
    } check: { subject, _ in
      #expect(subject.0[Version.self] == 80)
      for seen in subject.1 {
        #expect(seen.values.last == 80)
        #expect(seen.values == Array(Set(seen.values)).sorted())
      }
    }
  }

  @Test("never calls a closure after cancel has returned, while other threads set", arguments: [2, 8])
  func cancelRace(threads: Int) throws {
    try PlugTests.race(threads: threads, rounds: 2_000) { _ in
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

  @Test("can be cancelled crosswise by two closures on two threads without waiting for each other")
  func crossCancel() throws {
    try PlugTests.race(threads: 2, rounds: 1_000) { _ in
      Crosswise()
    } body: { subject, thread in
      subject.set(thread)
    } check: { subject, _ in
      subject.injector[Volume.self] = 9
      subject.injector[Version.self] = 9
      #expect(subject.calls.value <= 2)
    }
  }

  @Test("as a sequence begins with the current value, gives the newest, and ends with the injector")
  func sequence() async {
    var injector: Injector? = Injector()
    let values = injector?.values(of: Theme.self)
    injector?[Theme.self] = "dark"
    injector?[Theme.self] = "blue"
    var iterator = values?.makeAsyncIterator()
    #expect(await iterator?.next() == "blue")
    injector?[Theme.self] = "black"
    #expect(await iterator?.next() == "black")
    injector = nil
    #expect(await iterator?.next() == nil)
  }

  @Test("as a sequence ends when the injector is closed, or the task is cancelled")
  func sequenceEnd() async {
    let injector = Injector()
    let closed = injector.makeScope("scope")
    let values = closed.values(of: Theme.self)
    closed.close()
    #expect(await values.reduce(into: []) { $0.append($1) } == ["light"])

    let endless = injector.values(of: Theme.self)
    let task = Task { await endless.reduce(into: []) { $0.append($1) } }
    task.cancel()
    _ = await task.value
  }

  @Test("that begins while the injector is closed ends as well", arguments: [2, 8])
  func closingRace(threads: Int) throws {
    try PlugTests.race(threads: threads, rounds: 500) { _ in
      let injector = Injector()
      let ended = Counter()
      let state = try injector.state(of: Volume.self)
      return (injector, state, ended)
    } body: { (subject: (Injector, PropertyState<Int>, Counter), thread) -> ObservationToken? in
      if thread == 0 {
        subject.0.close()
        return nil
      }
      return try? subject.1.observe(
        for: subject.0, sendsCurrentValue: false, #fileID, #line, onEnd: { subject.2.increment() }, { _ in })
    } check: { subject, tokens in
      #expect(subject.2.value == tokens.compactMap(\.self).count)
    }
  }

  @Test("of a feature in a scope ends when the scope is closed, whoever sets the feature meanwhile")
  func featureInClosedScope() throws {
    try PlugTests.race(threads: 2, rounds: 1_000) { _ in
      Injector()
    } body: { injector, thread in
      for number in 0..<5 {
        if thread == 0 {
          injector[WallClock.self] = .constant(number)
        } else {
          let scope = injector.makeScope("scope")
          let token = scope.observe(WallClock.self) { _ in }
          scope.close()
          token.cancel()
        }
      }
    } check: { injector, _ in
      #expect(injector[WallClock.self].now() == 4)
    }
  }

  @Test("may make as many changes at once as it wants")
  func manyChanges() {
    let injector = Injector()
    let last = Setting<Int>()
    let observation = injector.observe(Volume.self) { value in
      last.set(value)
      if value == 1 { for value in 2...150_000 { injector[Volume.self] = value } }
    }
    injector[Volume.self] = 1
    #expect(last.value == 150_000)
    withExtendedLifetime(observation) {}
  }

  @Test("releases what the closure holds when it is cancelled")
  func releasing() {
    let living = LivingCount()
    let token = observeWithOwner(living)
    #expect(living.current == 1)
    token.cancel()
    #expect(living.current == 0)
  }

  @Test("keeps neither the injector nor the closure alive")
  func lifetime() {
    let alive = LivingCount()
    observeAndRelease(alive)
    #expect(alive.total == 3)
    #expect(alive.current == 0)
  }
}

/// A number that only grows.
private enum Version: Property {
  static let defaultValue = 0
}

private final class Seen: Sendable {
  private let state = Guarded<[Int]>([])

  var values: [Int] { state.withLock { $0 } }

  func add(_ value: Int) { state.withLock { $0.append(value) } }
}

private final class Flag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}

/// Two closures, each of which cancels the other.
private final class Crosswise: Sendable {
  let injector = Injector()
  let calls = Counter()
  private let tokens = Guarded<[ObservationToken]>([])

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

@inline(never)
private func observeWithOwner(_ living: LivingCount) -> ObservationToken {
  let owner = Tracked(living)
  return Injector().observe(Volume.self) { _ in withExtendedLifetime(owner) {} }
}

@inline(never)
private func observeAndRelease(_ alive: LivingCount) {
  let injector = Injector()
  try? injector.register(injectable: .singleton(Tracked(alive)))
  let (first, second) = (Tracked(alive), Tracked(alive))
  let token = injector.observe(Theme.self) { _ in withExtendedLifetime(first) {} }
  let values = injector.values(of: Volume.self)
  let other = injector.observe(Volume.self) { _ in withExtendedLifetime((second, values)) {} }
  injector[Theme.self] = "dark"
  other.cancel()
  withExtendedLifetime(token) {}
}

private let setWithoutEndLine = #line + 4

private func setWithoutEnd() {
  let injector = Injector()
  let observation = injector.observe(Volume.self) { injector[Volume.self] = $0 &+ 1 }
  injector[Volume.self] = 1
  withExtendedLifetime(observation) {}
}
