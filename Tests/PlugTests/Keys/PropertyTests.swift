import Observation
import Synchronization
import Testing

@testable import Plug

@Suite("A property")
struct PropertyTests {
  @Test("has its default value until it is set, and again after a reset")
  func valueSetReset() {
    let injector = Injector()
    #expect(injector[Theme.self] == "light")
    injector[Theme.self] = "dark"
    #expect(injector[Theme.self] == "dark")
    injector[Theme.self] += "er"
    #expect(injector[Theme.self] == "darker")
    injector.reset(Theme.self)
    #expect(injector[Theme.self] == "light")
  }

  @Test("may be nil, by default and when it is set")
  func optional() {
    let injector = Injector()
    #expect(injector[Nickname.self] == nil)
    injector[Nickname.self] = "bo"
    #expect(injector[Nickname.self] == "bo")
    injector[Nickname.self] = nil
    #expect(injector[Nickname.self] == nil)
  }

  @Test("is got with a throwing get too")
  func throwingGet() throws {
    let injector = Injector()
    injector[Theme.self] = "dark"
    #expect(try injector.get(Theme.self) == "dark")
  }

  @Test("is set with a throwing set too, which says where if the injector is closed")
  func throwingSet() throws {
    let injector = Injector("services")
    try injector.set(Theme.self, to: "dark")
    #expect(injector[Theme.self] == "dark")
    let scope = injector.makeScope("request")
    try scope.set(Theme.self, to: "red")
    #expect(scope[Theme.self] == "red")
    injector.closeNow()
    for closed in [injector, injector.makeScope("late")] {
      let error = #expect(throws: InjectorError.self) {
        try closed.set(Theme.self, to: "blue", fileID: "Shop/Routes.swift", line: 7)
      }
      guard case .closed(let facts) = try #require(error) else { throw try #require(error) }
      #expect(facts.requestedAt == CodeLocation(fileID: "Shop/Routes.swift", line: 7))
    }
  }

  @Test("is another in each injector")
  func independent() {
    let (first, second) = (Injector(), Injector())
    first[Theme.self] = "dark"
    #expect([first[Theme.self], second[Theme.self]] == ["dark", "light"])
  }

  @Test("can be set when the injector is sealed, also if it has not been read before, however many there are")
  func sealed() throws {
    let injector = Injector()
    injector[Theme.self] = "dark"
    try injector.seal()
    injector[Theme.self] = "black"
    setAll(Level<Void>.self, to: 100, in: injector)
    #expect(injector[Theme.self] == "black")
    #expect(all(Level<Void>.self, from: 100, in: injector) == Array((1...100).reversed()))
  }

  @Test("that is new is found in a sealed injector while others read there", arguments: [2, 8])
  func growing(threads: Int) throws {
    try race(threads: threads, rounds: 1_000) { _ in
      let injector = Injector()
      injector[Theme.self] = "dark"
      try injector.seal()
      return injector
    } body: { injector, thread in
      if thread == 0 { setAll(Level<Void>.self, to: 40, in: injector) }
      return Set((0..<100).map { _ in injector[Theme.self] })
    } check: { injector, seen in
      #expect(Set(seen) == [["dark"]])
      #expect(all(Level<Void>.self, from: 40, in: injector) == Array((1...40).reversed()))
    }
  }

  @Test("asks for its default value once, and after a reset once more")
  func defaultOnce() {
    let injector = Injector()
    let counter = Counted.counter
    let before = counter.value
    _ = (injector[Counted.self], injector[Counted.self])
    #expect(counter.value == before + 1)
    injector.reset(Counted.self)
    _ = injector[Counted.self]
    #expect(counter.value == before + 2)
  }

  @Test("is that of the outer injector in a scope, until the scope sets its own")
  func scopes() {
    let injector = Injector()
    let scope = injector.makeScope("outer").makeScope("inner")
    #expect(scope[Theme.self] == "light")
    injector[Theme.self] = "dark"
    #expect(scope[Theme.self] == "dark")
    scope[Theme.self] = "blue"
    #expect([scope[Theme.self], injector[Theme.self]] == ["blue", "dark"])
    injector[Theme.self] = "black"
    #expect(scope[Theme.self] == "blue")
    scope.reset(Theme.self)
    #expect(scope[Theme.self] == "black")
  }

  @Test("loses no update, whatever threads do")
  func update() throws {
    try race(threads: 8, rounds: 500) { _ in
      Injector()
    } body: { injector, _ in
      for _ in 0..<10 { injector.update(Volume.self) { $0 += 1 } }
    } check: { injector, _ in
      #expect(injector[Volume.self] == 80)
    }
  }

  @Test("asks for its default value cold from eight threads, and gives all the same instance")
  func coldDefault() throws {
    try race(threads: 8, rounds: 2_000) { _ in
      Injector()
    } body: { (injector: Injector, _) -> Instance in
      injector[Shared.self]
    } check: { _, instances in
      #expect(Set(instances.map(ObjectIdentifier.init)).count == 1)
    }
  }

  @Test("is no registration: no graph, report or suggestion shows it")
  func invisible() throws {
    let injector = Injector()
    injector[Theme.self] = "dark"
    #expect(injector.graph() == DependencyGraph(nodes: [], edges: []))
    #expect(try injector.validate().serviceCount == 0)
    #expect(throws: InjectorError.self) { try injector.get((any Networking).self) }
  }

  @Test("that has been set makes an injector an environment which is not replaced; one that was only read does not")
  func environment() {
    Injector["set early"][Theme.self] = "dark"
    let late = Injector("set early")
    #expect(Injector["set early"][Theme.self] == "dark" && Injector["set early"] !== late)

    _ = Injector["read early"][Theme.self]
    let owner = Injector("read early")
    #expect(Injector["read early"] === owner)
  }

  @Test("that an update sets itself, so that the update never ends, ends the program with the diagnosis")
  func endlessUpdate() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { updateWithoutEnd() }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let expected = """
      Fatal error: update(Volume.self) never ends: its closure sets Volume itself, so it runs again and again.
      To fix this:
        - Change only the value that the closure receives.
      """
    #expect(text.contains(expected))
  }

  @Test("that changes between the announcement and the change is tracked")
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

  @Test("that is read while it changes is tracked: a later change is told, if none before", arguments: [1, 3])
  func trackingRace(writers: Int) throws {
    try race(threads: 1 + writers, rounds: 3_000) { _ in
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
      // Observation may tell it several times if several threads make changes.
      #expect(subject.told.value >= 1)
      #expect(subject.injector[Volume.self] == 4 * writers + 1)
    }
  }

  @Test("that is changed in an observed closure is not read there: only what reads it is told")
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

  @Test("whose default value asks for the property itself ends the program with the path")
  func cycle() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Injector.default[Ouroboros.self]
    }
    let expected = """
      \(#fileID):\(Ouroboros.line): Fatal error: Injector("default")[Ouroboros.self] cannot be read.
      Ouroboros depends on itself: Ouroboros → Ouroboros.
        service:        Ouroboros
        injector:       default
        chain:          Ouroboros
        asked at:       \(#fileID):\(Ouroboros.line)
      To fix this:
        - Give it a default value that does not read it.
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }

  @Test("is tracked by Swift's Observation, in a scope too")
  func tracking() {
    let injector = Injector()
    let scope = injector.makeScope("scope")
    let log = Log()
    func track() {
      withObservationTracking {
        log.add(scope[Theme.self])
      } onChange: {
        log.add("will change")
      }
    }
    track()
    injector[Theme.self] = "dark"
    track()
    scope[Theme.self] = "blue"
    injector[Nickname.self] = "bo"
    #expect(log.lines == ["light", "will change", "dark", "will change"])
  }

  @Test("of a scope does not keep what observes it, once the scope has gone", arguments: [1, 8])
  func trackingEnds(threads: Int) throws {
    let observers = LivingCount()
    try race(threads: threads, rounds: 200) { _ in
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

  @Test("of a scope that has been read before is tracked all the same, and by whoever reads it next")
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

private enum Counted: Property {
  static let counter = Counter()
  static var defaultValue: Int { counter.increment() }
}

private enum Shared: Property {
  static var defaultValue: Instance { Instance() }
}

private enum Ouroboros: Property {
  static let line = #line + 1
  static var defaultValue: Int { Injector.default[Ouroboros.self] }
}

/// As many properties as there are levels.
private enum Level<Inner>: Property {
  static var defaultValue: Int { 0 }
}

private func setAll<Inner>(_ level: Level<Inner>.Type, to count: Int, in injector: Injector) {
  if count == 0 { return }
  injector[level] = count
  setAll(Level<Level<Inner>>.self, to: count - 1, in: injector)
}

private func all<Inner>(_ level: Level<Inner>.Type, from count: Int, in injector: Injector) -> [Int] {
  count == 0 ? [] : [injector[level]] + all(Level<Level<Inner>>.self, from: count - 1, in: injector)
}

private func updateWithoutEnd() {
  let injector = Injector()
  injector.update(Volume.self) { volume in
    volume += 1
    injector[Volume.self] = 5
  }
}
