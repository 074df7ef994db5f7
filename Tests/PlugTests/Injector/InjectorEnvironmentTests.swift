import Testing

@testable import Plug

@Suite("An environment", .serialized)
struct InjectorEnvironmentTests {
  private final class Owner: Sendable {
    let injector: Guarded<Injector?>

    init(_ injector: Injector) {
      self.injector = Guarded(injector)
    }
  }

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
    try race(threads: threads, rounds: 2_000) { round in
      Injector.Name(rawValue: "contended \(threads)-\(round)")
    } body: { name, thread in
      thread == 0 ? ObjectIdentifier(Injector[name]) : ObjectIdentifier(Injector[name])
    } check: { _, identifiers in
      #expect(Set(identifiers).count == 1)
    }
  }

  @Test("can be looked for while its injectors come and go", arguments: [2, 8])
  func churn(threads: Int) throws {
    let name: Injector.Name = "churn"
    try race(threads: threads, rounds: 2_000) { round in
      let injector = Injector(name)
      try injector.register(injectable: .singleton(Instance("\(round)")))
      return Owner(injector)
    } body: { owner, thread in
      if thread == 0 { _ = owner.injector.withLock { $0.take() } }
      return (0..<8).compactMap { _ in
        let (optional, required) = (Injected<Instance?>(name), Injected<Instance>(name))
        return (try? required.projectedValue.get().name) ?? optional.wrappedValue?.name
      }
    } check: { _, names in
      #expect(Set(names.joined()).count <= 1)
    }
  }

  @Test("has one name, however often that is written, and forgets those that are not used any more")
  func names() {
    let kept: Injector.Name = "kept"
    for number in 0..<100_000 { _ = Injector.Name(rawValue: "name \(number)") }
    #expect(kept == "kept" && kept != "other" && kept.rawValue == "kept" && "\(kept)" == "kept")
    #expect(Set([kept, "kept", "other"]).count == 2)
    #expect(Environment.knownCount < 50_000)
  }
}
