import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private final class Session: Sendable {
  let number: Int

  init(_ number: Int) {
    self.number = number
  }
}

private enum Tint: Property {
  static var defaultValue: String { "light" }
}

@Suite("Resetting", .serialized)
struct ResetTests {
  let injector = Injector(allowRewrite: true)

  let log = Log()

  let makes = Counter()

  private func register(_ injector: Injector, _ injections: [(Injector.Tag, Lifetime)]) throws {
    let (log, makes) = (log, makes)
    for (tag, lifetime) in injections {
      let make: @Sendable () -> Session = { Session(makes.increment()) }
      let injection: Injection<Session> = lifetime == .scoped ? .scoped(make) : .lazySingleton(make)
      try injector.register(tag: tag, injectable: injection.onClose { log.add("closed \(tag) \($0.number)") })
    }
  }

  @Test("of one service leaves the old instance to its dependents, and fails for an unknown one")
  func ofOneService() throws {
    struct Screen: Sendable { let session: Session }
    let (services, makes) = (Injector("services"), makes)
    try services.register { Session(makes.increment()) }
    try services.register { Screen(session: try $0.get()) }
    let screen = try services.get(Screen.self)
    try services.reset(Session.self)
    #expect(try services.get(Screen.self).session === screen.session && services.get(Session.self) !== screen.session)
    services.reset()
    #expect(try services.get(Screen.self).session === services.get(Session.self))
    let error = #expect(throws: InjectorError.self) { try services.reset(Counter.self) }
    #expect(
      error?.description == """
        reset(Counter.self) was refused: nothing is registered for Counter.
          service:        Counter
          injector:       services
        To fix this:
          - Check isRegistered(_:) before you reset it.
        """)
  }

  @Test("closes the instances of candidates, and keeps handed-in ones beside them", arguments: [false, true])
  func candidates(isSealed: Bool) throws {
    let (injector, log) = (Injector(), log)
    try injector.register(
      PluginPoint<Session, Int>("sessions") {
        Candidate("given", .singleton(Session(0)).onClose { _ in log.add("given") })
        Candidate("made", .lazySingleton { Session(1) }.onClose { _ in log.add("made") })
      })
    if isSealed { try injector.seal() }
    _ = try injector.getAll(Session.self, in: 1)
    injector.reset()
    #expect(log.lines == ["made"])
    #expect(try injector.getAll(Session.self, in: 1).map(\.number) == [0, 1])
    injector.closeNow()
    #expect(log.lines == ["made", "made", "given"])
  }

  @Test("keeps what decorators and a configuration have made of a given instance beside candidates")
  func givenBesideCandidates() throws {
    let (injector, log, given) = (Injector(), log, Session(0))
    try injector.decorate(Session.self) { _, _ in Session(1) }
    try injector.register(injectable: .singleton(given).configure { _, _ in log.add("configured") })
    try injector.contribute(Session.self, .lazySingleton { Session(2) }, id: "made")
    let first = try injector.getAll(Session.self)
    injector.reset()
    let second = try injector.getAll(Session.self)
    #expect(second.count == 2)
    #expect(second[0] !== first[0])
    #expect(second[1] === first[1])
    #expect(log.lines == ["configured"])
  }

  @Test("closes all instances in reverse order, and later requests make new ones")
  func all() throws {
    try register(injector, [("a", .lazySingleton), ("b", .lazySingleton)])
    let (first, second) = (try injector.get(Session.self, tag: "a"), try injector.get(Session.self, tag: "b"))
    injector.reset()
    #expect(log.lines == ["closed b 2", "closed a 1"])
    #expect(try injector.get(Session.self, tag: "a") !== first)
    #expect(try injector.get(Session.self, tag: "b") !== second)
    #expect(makes.value == 4)
    injector.closeNow()
    #expect(log.lines == ["closed b 2", "closed a 1", "closed b 4", "closed a 3"])
  }

  @Test("of one service keeps the others", arguments: [false, true])
  func one(isSealed: Bool) throws {
    try register(injector, [("a", .lazySingleton), ("b", .lazySingleton)])
    if isSealed { try injector.seal() }
    let (first, second) = (try injector.get(Session.self, tag: "a"), try injector.get(Session.self, tag: "b"))
    try injector.reset(Session.self, tag: "a")
    #expect(log.lines == ["closed a 1"])
    #expect(try injector.get(Session.self, tag: "a") !== first)
    #expect(try injector.get(Session.self, tag: "b") === second)
  }

  @Test("of a scope closes the scope's instances, and keeps inherited ones")
  func scope() throws {
    try register(injector, [("outer", .lazySingleton), ("own", .scoped)])
    let scope = injector.makeScope()
    let (outer, own) = (try scope.get(Session.self, tag: "outer"), try scope.get(Session.self, tag: "own"))
    scope.reset()
    #expect(log.lines == ["closed own 2"])
    #expect(try scope.get(Session.self, tag: "outer") === outer)
    #expect(try scope.get(Session.self, tag: "own") !== own)
  }

  @Test("keeps handed-in instances, and properties")
  func handedIn() throws {
    let (given, log) = (Session(7), log)
    try injector.register(
      injectable: .lazySingleton(given) { Session(0) }.onClose { _ in log.add("closed") })
    injector[Tint.self] = "dark"
    let observation = injector.observe(Tint.self) { log.add($0) }
    injector.reset()
    #expect(try injector.get(Session.self) === given)
    #expect(injector[Tint.self] == "dark")
    injector[Tint.self] = "red"
    #expect(log.lines == ["red"])
    observation.cancel()
  }

  @Test("drops instances for arguments, decorated ones and weak ones, which are made again")
  func siblings() throws {
    try injector.register(Session.self, taking: Int.self, lifetime: .lazySingleton) { number, _ in Session(number) }
    try injector.register(tag: "weak", injectable: .weakSingleton { Session(1) })
    try injector.register(tag: "decorated", injectable: .lazySingleton { Session(1) })
    try injector.decorate(Session.self, tag: "decorated") { inner, _ in Session(inner.number + 1) }
    let first = try injector.get(Session.self, with: 1)
    let (weak, decorated) = (
      try injector.get(Session.self, tag: "weak"), try injector.get(Session.self, tag: "decorated")
    )
    injector.reset()
    #expect(try injector.get(Session.self, with: 1) !== first)
    #expect(try injector.get(Session.self, tag: "weak") !== weak)
    let again = try injector.get(Session.self, tag: "decorated")
    #expect(again !== decorated && again.number == 2)
  }

  @Test("throws for a service that is not registered, or whose injector is closed")
  func errors() throws {
    let missing = #expect(throws: InjectorError.self) { try injector.reset(Session.self) }
    if case .notRegistered = missing {} else { Issue.record("\(String(describing: missing))") }
    try register(injector, [("a", .lazySingleton)])
    injector.closeNow()
    let closed = #expect(throws: InjectorError.self) { try injector.reset(Session.self, tag: "a") }
    if case .closed = closed {} else { Issue.record("\(String(describing: closed))") }
  }
}
