import TestSupport
import Testing

@testable import Plug

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

  @Test("is made by a look-up, and an injector that is created while it is empty replaces it")
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

  @Test("has one name, however often it is written, and unused names are removed")
  func names() {
    let kept: Injector.Name = "kept"
    for number in 0..<100_000 { _ = Injector.Name(rawValue: "name \(number)") }
    #expect(kept == "kept" && kept != "other" && kept.rawValue == "kept" && "\(kept)" == "kept")
    #expect(Set([kept, "kept", "other"]).count == 2)
  }
}
