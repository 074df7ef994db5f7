import Plug
import Synchronization
import Testing

@Suite("A name")
struct InjectorNameTests {
  @Test("finds the injector that was created with it last")
  func madeAgain() throws {
    let name: Injector.Name = "names.again"
    let first = Injector(name)
    #expect(Injector[name] === first)
    let second = Injector(name)
    #expect(Injector[name] === second)
    try first.seal()
    try second.seal()
    withExtendedLifetime(first) {}
  }

  @Test("finds the one before when the last one is closed, and an empty one when all are")
  func closed() {
    let name: Injector.Name = "names.closed"
    let injectors = (0..<3).map { _ in Injector(name) }
    injectors[1].closeNow()
    #expect(Injector[name] === injectors[2])
    injectors[2].closeNow()
    #expect(Injector[name] === injectors[0])
    injectors[0].closeNow()
    let made = Injector[name]
    #expect(!made.isClosed && !injectors.contains { $0 === made } && Injector[name] === made)
    let last = Injector(name)
    #expect(Injector[name] === last)
  }

  @Test("finds another injector as soon as one begins to close", arguments: [false, true])
  func closing(isAsynchronous: Bool) async throws {
    let name = Injector.Name(rawValue: "names.closing.\(isAsynchronous)")
    let other = Injector(name)
    let found = Mutex<Injector?>(nil)
    let closing = Injector(name)
    let look: @Sendable () -> Void = {
      let injector = Injector[name]
      found.withLock { $0 = injector }
    }
    try closing.register(
      injectable: isAsynchronous
        ? .lazySingleton { 1 }.onClose { (_: Int) async in look() } : .lazySingleton { 1 }.onClose { _ in look() })
    #expect(try Injector[name].get(Int.self) == 1)
    await closing.close()
    #expect(found.withLock { $0 } === other)
  }

  @Test("is free again when its injector is closed or released")
  func names() {
    let name: Injector.Name = "names.app"
    var first: Injector? = Injector(name)
    #expect(Injector[name] === first)
    first?.closeNow()
    let second = Injector(name)
    #expect(Injector[name] === second)
    first = nil
    #expect(Injector[name] === second)
    var third: Injector? = Injector("names.released")
    third = nil
    let fourth = Injector("names.released")
    #expect(Injector["names.released"] === fourth && third == nil)
  }

  @Test("does not keep what was registered by it before an injector was created")
  func early() throws {
    let name: Injector.Name = "names.early"
    let made = Injector[name]
    try made.register(injectable: .singleton(1))
    let created = Injector(name)
    try created.validate()
    #expect(Injector[name] === created && !created.isRegistered(Int.self))
    created.closeNow()
    #expect(Injector[name] === made)
    #expect(try made.get(Int.self) == 1)
  }

  @Test("finds the injector that is created after a provider has used the name, and not its early override")
  func provider() throws {
    try Injector["names.provided"].answer.override(.factory { 7 })
    #expect(Injector["names.provided"].answer() == 7)
    let made = Injector("names.provided")
    #expect(Injector["names.provided"] === made)
    #expect(made.answer() == 42)
  }

  @Test("of an injector that another thread releases finds an injector that lives")
  func released() async {
    let name: Injector.Name = "names.released.often"
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for _ in 0..<500 {
            let made = Injector(name)
            #expect(Injector[name].name == name)
            if thread < 2 { made.closeNow() }
          }
        }
      }
    }
    let last = Injector(name)
    #expect(Injector[name] === last)
  }
}

@Suite("A scope with a name of the program")
struct NamedScopeTests {
  @Test("is found by its name until it is closed, and inherits")
  func found() throws {
    let app = Injector()
    try app.register(injectable: .singleton(1))
    let feed = try app.makeScope(.feed) { try $0.register(injectable: .singleton("feed")) }
    let (text, number) = (Injected<String>(.feed), Injected<Int>(.feed))
    #expect(Injector[.feed] === feed && feed.name == .feed && feed.parent === app)
    #expect(text.wrappedValue == "feed" && number.wrappedValue == 1)
    let inner = feed.makeScope(.feed)
    #expect(Injector[.feed] === inner)
    inner.closeNow()
    #expect(Injector[.feed] === feed)
    feed.closeNow()
    #expect(Injector[.feed] !== feed && Injector[.feed].parent == nil)
  }

  @Test("is no longer found after its release, or if its closure throws")
  func released() {
    let app = Injector()
    do {
      let scope = app.makeScope("names.scope" as Injector.Name)
      #expect(Injector["names.scope"] === scope)
    }
    #expect(!Injector["names.scope"].isInside(app))
    #expect(throws: CancellationError.self) {
      try app.makeScope("names.scope" as Injector.Name) { _ in throw CancellationError() }
    }
    #expect(!Injector["names.scope"].isInside(app))
  }

  @Test("has a string literal as its name for diagnostics only")
  func literal() {
    let app = Injector("names.literal")
    let scope = app.makeScope("names.literal.scope")
    #expect(scope.name == nil && scope.description == "Injector(\"names.literal/names.literal.scope\")")
    #expect(Injector["names.literal.scope"] !== scope)
  }

  @Test("keeps the instances that are scoped in that name")
  func scoped() throws {
    let app = Injector()
    try app.register(injectable: .scoped(in: "names.kept") { Kept() })
    let scope = app.makeScope("names.kept" as Injector.Name)
    #expect(try scope.makeScope().get(Kept.self) === scope.get(Kept.self))
  }
}

private final class Kept: Sendable {}

extension Injector.Name {
  fileprivate static let feed: Self = "names.feed"
}

extension Injector {
  fileprivate var answer: Provider<Int> { provide(.factory { 42 }) }

  fileprivate func isInside(_ other: Injector) -> Bool { self === other || parent?.isInside(other) ?? false }
}
