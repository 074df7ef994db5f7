import Plug
import PlugFlags
import PlugKeys
import PlugTesting
import Testing

@Suite("A flag in an isolated test")
struct FlagOverrideTests {
  private static let services = {
    let services = Injector("services")
    services[Flags.self] =
      (try? flags([
        "checkout": choice(of: ["one-click", "classic"], "classic"), "x": constant(true),
      ])) ?? .empty
    return services
  }()

  @Test("is overridden there, and nowhere else, while other flags stay")
  func isolated() throws {
    let (services, key) = (Self.services, FlagKey("checkout", default: "none"))
    try withIsolatedInjectors {
      try services.override(flag: "checkout", is: "one-click")
      try services.override(flag: "unknown", is: 7)
      #expect(services.flag(key, in: Buyer()) == "one-click")
      #expect(services.flag(FlagKey("unknown", default: 0), in: Buyer()) == 7)
      #expect(services.flag(FlagKey("x", default: false), in: Buyer()))
    }
    #expect(services.flag(key, in: Buyer()) == "classic")
  }

  @Test("cannot be overridden elsewhere")
  func refused() throws {
    let error = #expect(throws: InjectorError.self) {
      try Self.services.override(flag: "checkout", is: "one-click")
    }
    #expect(error?.description.contains("isolated") == true)
  }

  @Test("is replaced by its value, or the name of its variant, and has neither targeting nor problems then")
  func replacing() throws {
    let document = try FlagDocument(
      #"""
      {"metadata": {"team": "a"}, "flags": {
        "x": {"state": "DISABLED", "variants": {"on": "v2", "off": "v1"}, "defaultVariant": "of", "metadata": {"y": 1},
          "targeting": {"var": "country"}},
        "y": {"state": "OFF", "variants": {}}}}
      """#)
    #expect(document.problems.count == 2)
    let byValue = document.replacing(flag: "x", with: "v2")
    #expect(
      byValue.json(isIndented: false)
        == #"{"metadata":{"team":"a"},"flags":{"x":{"state":"ENABLED","variants":{"on":"v2","off":"v1"},"#
        + #""defaultVariant":"on","metadata":{"y":1}},"y":{"state":"OFF","variants":{}}}}"#)
    #expect(byValue.problems.map(\.path) == ["flags.y.state"])
    #expect(byValue == document.replacing(flag: "x", with: "on"))
    #expect(byValue == (try FlagDocument(byValue.json())))
    #expect(
      byValue.evaluate("x", in: Buyer())
        == FlagEvaluation(value: "v2", variant: "on", reason: .static, metadata: ["team": "a", "y": 1]))
    let added = document.replacing(flag: "z", with: ["a": true])
    #expect(added.keys == ["x", "y", "z"])
    #expect(added == (try FlagDocument(added.json())))
    #expect(added["z"]?.variants == [#"{"a":true}"#])
    #expect(added.evaluate("z", in: Buyer()).metadata == ["team": "a"])
  }
}
