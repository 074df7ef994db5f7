import TestSupport
import Testing

@testable import Plug

@Suite("An environment", .serialized)
struct InjectorEnvironmentTests {
  @Test("is the last injector that was created with a name, while it lives")
  func found() {
    let first = Injector("environment")
    do {
      let second = Injector("environment")
      #expect(Injector["environment"] === second)
    }
    #expect(Injector["environment"] === first)
  }

  @Test("is made by a look-up and kept, and an injector that is created later is found instead")
  func made() throws {
    let made = Injector["made by look-up"]
    #expect(Injector["made by look-up"] === made && made.name == "made by look-up")
    do {
      let created = Injector("made by look-up")
      #expect(Injector["made by look-up"] === created)
    }
    #expect(Injector["made by look-up"] === made)
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
