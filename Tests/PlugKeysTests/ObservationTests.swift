import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

@Suite("Observing a property", .serialized)
struct ObservationTests {
  @Test("reports each new value in order, and the current value only on request")
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

  @Test("reports every value of a type that cannot be compared")
  func uncomparable() {
    let injector = Injector()
    let log = Log()
    let observation = injector.observe(Uncomparable.self) { log.add("\($0.number)") }
    for number in [1, 1, 2] { injector[Uncomparable.self] = Opaque(number: number) }
    #expect(log.lines == ["1", "1", "2"])
    withExtendedLifetime(observation) {}
  }

  @Test("in a scope reports the scope's value")
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

  @Test("lets the closure set the property, and reports that value after the closure returns")
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

  @Test("settles when the closure sets a value that the property already has")
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

  @Test("traps with the location of the observer if the values never settle")
  func endless() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { setWithoutEnd() }
    let expected = """
      \(#fileID):\(setWithoutEndLine): Fatal error: observe(Volume.self) at \(#fileID):\(setWithoutEndLine) never \
      settles: its closure sets Volume to a new value each time.
      To fix this:
        - Set the property only if its value has to change, so that the values settle.
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }

  @Test("as a sequence begins with the current value, goes on with the newest, and ends with the injector")
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
    await closed.close()
    #expect(await values.reduce(into: []) { $0.append($1) } == ["light"])

    let endless = injector.values(of: Theme.self)
    let task = Task { await endless.reduce(into: []) { $0.append($1) } }
    task.cancel()
    _ = await task.value
  }

  @Test("lets the closure make any number of changes")
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
}

private let setWithoutEndLine = #line + 4

private func setWithoutEnd() {
  let injector = Injector()
  let observation = injector.observe(Volume.self) { injector[Volume.self] = $0 &+ 1 }
  injector[Volume.self] = 1
  withExtendedLifetime(observation) {}
}
