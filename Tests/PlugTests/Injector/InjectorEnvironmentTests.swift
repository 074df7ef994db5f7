import Plug
import Testing

@Suite("An environment", .serialized)
struct InjectorEnvironmentTests {
  @Test("is the first injector that was created with a name, while it lives")
  func found() {
    do {
      let first = Injector("environment")
      let second = Injector("environment")
      #expect(Injector["environment"] === first)
      withExtendedLifetime(second) {}
    }
    let third = Injector("environment")
    #expect(Injector["environment"] === third)
  }

  @Test("is made by a look-up, and gives way to an injector that is created while it is empty")
  func made() throws {
    let placeholder = Injector["made by look-up"]
    #expect(Injector["made by look-up"] === placeholder && placeholder.name == "made by look-up")
    let created = Injector("made by look-up")
    #expect(Injector["made by look-up"] === created)

    let used = Injector["used"]
    try used.register { Instance() }
    let late = Injector("used")
    #expect(Injector["used"] === used && late !== used)
  }

  @Test("of the default name is the default injector")
  func standard() {
    #expect(Injector[.default] === Injector.default)
    #expect(Injector("default") !== Injector.default)
    #expect(Injector.default.description == "Injector(\"default\")" && Injector().description == "Injector()")
  }

  @Test("is one and the same for all threads that look for it first", arguments: [2, 8])
  func contended(threads: Int) throws {
    try race(threads: threads, rounds: 5_000) { round in
      Injector.Name(rawValue: "contended \(threads)-\(round)")
    } body: { name, thread in
      thread == 0 ? ObjectIdentifier(Injector[name]) : ObjectIdentifier(Injector[name])
    } check: { _, identifiers in
      #expect(Set(identifiers).count == 1)
    }
  }
}
