import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

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

  @Test("can be read with a throwing get")
  func throwingGet() throws {
    let injector = Injector()
    injector[Theme.self] = "dark"
    #expect(try injector.get(Theme.self) == "dark")
  }

  @Test("can be set with a throwing set, whose error names the location if the injector is closed")
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

  @Test("has a separate value in each injector")
  func independent() {
    let (first, second) = (Injector(), Injector())
    first[Theme.self] = "dark"
    #expect([first[Theme.self], second[Theme.self]] == ["dark", "light"])
  }

  @Test("can be set in a sealed injector for the first time, and so can a hundred others")
  func sealed() throws {
    let injector = Injector()
    injector[Theme.self] = "dark"
    try injector.seal()
    injector[Theme.self] = "black"
    setAll(Level<Void>.self, to: 100, in: injector)
    #expect(injector[Theme.self] == "black")
    #expect(all(Level<Void>.self, from: 100, in: injector) == Array((1...100).reversed()))
  }

  @Test("computes its default value once, and once more after a reset")
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

  @Test("has the outer injector's value in a scope until the scope sets its own")
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

  @Test("has the first value that a scope sets, even if the value is nil")
  func firstInScope() {
    let injector = Injector()
    injector[Nickname.self] = "bo"
    let scope = injector.makeScope("scope")
    scope[Nickname.self] = nil
    #expect([scope[Nickname.self], injector[Nickname.self]] == [nil, "bo"])
    scope[Nickname.self] = "al"
    #expect([scope[Nickname.self], injector[Nickname.self]] == ["al", "bo"])
  }

  @Test("is not a registration, so no report or suggestion shows it")
  func invisible() throws {
    let injector = Injector()
    injector[Theme.self] = "dark"
    #expect(try injector.validate().serviceCount == 0)
    #expect(throws: InjectorError.self) { try injector.get((any Networking).self) }
  }

  @Test("that was set by name before the injector is created stays in the injector made for the name")
  func environment() {
    Injector["set early"][Theme.self] = "dark"
    do {
      let late = Injector("set early")
      #expect(Injector["set early"] === late && late[Theme.self] == Theme.defaultValue)
    }
    #expect(Injector["set early"][Theme.self] == "dark")
  }

  @Test("that is set inside its own update ends the program, since the update would never end")
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

  @Test("whose default value reads the property itself ends the program with the path")
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
}

private enum Counted: Property {
  static let counter = Counter()
  static var defaultValue: Int { counter.increment() }
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
