import Plug
import PlugTesting
import Testing

@Suite("A forced candidate with a weight")
struct ForcedWeightTests {
  @Test("is explained as it is chosen", .isolated)
  func explained() throws {
    let injector = Injector("forced")
    try injector.register(
      PluginPoint<String, Shopper>("names") {
        for name in ["a", "b", "c", "d"] { Candidate(name, .factory { name }).weight(1, by: \.id) }
      })
    try injector.force("c", at: "names")
    try injector.disable("b", at: "names")
    for number in 0..<20 {
      let shopper = Shopper("shopper \(number)")
      let all = try injector.getAll(String.self, in: shopper)
      #expect(all.first == "c" && Set(all) == ["a", "c", "d"])
      #expect(try injector.explain(String.self, in: shopper).available == all)
      #expect(try injector.get(String.self, in: shopper) == "c")
    }
  }
}
