import Plug
import PlugOperations
import PlugTesting
import Testing

@Suite("A candidate that a test forces or disables", .isolated)
struct ForcedCandidateTests {
  @Test("comes first, also if it has an order")
  func order() throws {
    let injector = Injector("forced")
    try injector.register(
      PluginPoint<String, Shopper>("pipeline") {
        Candidate("a", .factory { "a" }).before("b")
        Candidate("b", .factory { "b" }).after("a")
        Candidate("c", .factory { "c" }).after("b")
      })
    try injector.force("b", at: "pipeline")
    #expect(try injector.getAll(String.self, in: Shopper()) == ["b", "a", "c"])
  }

  @Test("is seen by the rules of other points")
  func selected() throws {
    let injector = Injector("forced")
    try injector.register(
      PluginPoint<String, Shopper>("checkout") {
        Candidate("one-click", .factory { "one-click" })
        Candidate("classic", .factory { "classic" })
      }, tag: "checkout")
    try injector.register(
      PluginPoint<String, Shopper>("vouchers") {
        Candidate("digital", .factory { "digital" }).when(.selected("one-click", at: "checkout"))
        Candidate("paper", .factory { "paper" })
      }, tag: "vouchers")
    #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "digital")
    try injector.disable("one-click", at: "checkout")
    #expect(try injector.get(String.self, tag: "vouchers", in: Shopper()) == "paper")
  }

  @Test("is explained as it is chosen if it has a weight")
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
