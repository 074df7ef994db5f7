import Foundation
import Plug
import PlugOperations
import Testing

private struct Shopper: PrivateContext {
  var id = "p-17"
  var email: String? = "ada@example.org"
  var country = "DE"

  static var privateProperties: [PartialKeyPath<Shopper>] { [\.id, \.email] }
}

@Suite("A private property")
struct PrivateContextTests {
  private let point = PluginPoint<String, Shopper>("checkout") {
    Candidate("mine", .factory { "mine" }).when(.equals(\.email, "bob@example.org") || .rollout(0, of: "x", by: \.id))
    Candidate("local", .factory { "local" }).when(.equals(\.country, "FR") || .equals(\.email, nil))
    Candidate("drawn", .factory { "drawn" }).weight(2, by: \.id).when(Rule("is Ada", of: \.email) { $0 != nil })
  }

  @Test("is hidden in explanations and what is made of them, and other properties are not")
  func explained() throws {
    #expect(
      point.explain(in: Shopper()).description == """
        checkout in Shopper: 1 of 3 apply, selected: drawn
          mine: ruled out
            - any
              - email == "bob@example.org": •••
              - rollout 0% of "x" by id: •••
          local: ruled out
            - any
              - country == "FR": "DE"
              - email == nil: •••
          drawn: selected, weight 2 of 2, drew \(number) for "•••"
            + is Ada: •••
        """)
    let json = try String(decoding: JSONEncoder().encode(point.explain(in: Shopper())), as: UTF8.self)
    #expect(!json.contains("p-17") && !json.contains("ada@"))
  }

  /// What the identifier draws, which no explanation of another context shows.
  private var number: String {
    let text = point.explain(in: Shopper()).description
    return text.split(separator: "drew ").last?.split(separator: " ").first.map(String.init) ?? ""
  }

  @Test("decides as any other")
  func decides() {
    #expect(point.first(in: Shopper(email: "bob@example.org")) == "mine")
    #expect(point.first(in: Shopper(email: nil)) == "local")
  }

  @Test("is hidden where it has the enabled features")
  func features() {
    struct Member: FeatureContext, PrivateContext {
      let enabledFeatures: Set<String> = ["trial"]
      static var privateProperties: [PartialKeyPath<Member>] { [\.enabledFeatures] }
    }
    #expect("\(Rule<Member>.feature("trial").trace(in: Member()))" == "+ feature \"trial\": •••")
  }

  @Test("is hidden where a rule looks at the whole context")
  func whole() {
    struct Visit: Sendable { let shopper: Shopper? = Shopper() }
    let other = Rule<Shopper>("is another", of: \.self) { $0.id != Shopper().id }
    #expect("\(other.trace(in: Shopper()))" == "- is another: •••")
    let visitor = Rule<Visit>("has a visitor", of: \.shopper) { $0 != nil }
    #expect("\(visitor.trace(in: Visit()))" == "+ has a visitor: •••")
  }

  @Test("is hidden where a rule looks at the context inside of another")
  func nested() {
    struct Visit: Sendable { let shopper = Shopper() }
    let rule: Rule<Visit> = Rule<Shopper>.equals(\.email, "x").pullback { $0.shopper }
    #expect("\(rule.trace(in: Visit()))" == "- email == \"x\": •••")
  }
}
