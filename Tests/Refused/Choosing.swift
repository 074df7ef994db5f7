// Likely mistakes with rules, candidates and points: the error names the mistake, and what to write.
import Plug

protocol Search: Sendable {}
struct CatalogueSearch: Search {}
struct WebSearch: Search {}

struct Shopper: FeatureContext {
  let id: String
  let country: String
  let age: Int
  let isStaff: Bool
  let enabledFeatures: Set<String>
}

struct Visitor: Sendable {
  let name: String
}

typealias Point = PluginPoint<any Search, Shopper>

let known = Rule<Visitor>("is known") { !$0.name.isEmpty }
let guide = Candidate<any Search, Visitor>("guide") { CatalogueSearch() }

let search = Point("search") {
  Candidate("web") { WebSearch() }.when(.feature("web") && !.equals(\.country, "FR"))
  Candidate("catalogue") { CatalogueSearch() }.weight(20, by: \.id)
  Candidate("staff") { WebSearch() }.when(.is(\.isStaff) || .within(\.age, ...17))
}

#if REFUSED
  // error: value of type 'Shopper' has no member 'aeg'
  let misspelledRule = Point("search", when: .atLeast(\.aeg, 18)) {}
  let misspelledCandidate = Point("search") {
    Candidate("web") { WebSearch() }
    // error: value of type 'Shopper' has no member 'contry'
    Candidate("catalogue") { CatalogueSearch() }.when(.feature("web") && .equals(\.contry, "DE"))
  }
  let misspelledPoint = Point("search") {
    // error: value of type 'Shopper' has no member 'contry'
    PluginPoint("beta", when: .equals(\.contry, "DE")) {}
  }
  let misspelledFlag = Point("search") {
    // error: value of type 'Shopper' has no member 'isStaf'
    Candidate("web") { WebSearch() }.when(.feature("web") && .is(\.isStaf))
  }
  let misspelledInside = Point("search") {
    PluginPoint("beta") {
      // error: value of type 'Shopper' has no member 'contry'
      Candidate("web") { WebSearch() }.when(.oneOf(\.contry, ["DE"]))
    }
  }

  // `!` may be the operator of Bool, too.
  // error: cannot infer key path type from context; consider explicitly specifying a root type
  let misspelledNegation: Rule<Shopper> = !.equals(\.contry, "DE")
  // error: value of type 'Shopper' has no member 'contry'
  let misspelledRoot: Rule<Shopper> = !.equals(\Shopper.contry, "DE")

  // error: cannot convert value of type 'Int' to expected argument type 'String'
  let otherValue = Point("search", when: .equals(\.country, 49)) {}
  // error: static method 'buildExpression' requires the types 'Shopper' and 'Visitor' be equivalent
  let otherContext = Point("search") { guide }
  // error: static method 'buildExpression' requires the types 'Shopper' and 'Visitor' be equivalent
  let otherRule = Point("search") { Candidate("web") { WebSearch() }.when(known) }
  // error: cannot convert value of type 'Visitor' to closure result type 'any Search'
  let otherService = Point("search") { Candidate("web") { Visitor(name: "web") } }

  // error: generic parameter 'Context' could not be inferred
  let withoutContext = Rule.feature("web")
  // error: cannot infer key path type from context; consider explicitly specifying a root type
  let withoutRoot = Rule.equals(\.country, "DE")
  // error: generic type 'PluginPoint' specialized with too few type parameters (got 1, but expected 2)
  let withoutContextType = PluginPoint<any Search>("search") {}

  func register(in services: Injector, as injection: Injection<any Search>) throws {
    // error: is unavailable: state the context: when: Rule<Shopper>.feature(…), Rule<Injector>.property(…)
    try services.contribute((any Search).self, injection, when: .feature("web"))
  }

  let withoutFeatures = PluginPoint<any Search, Visitor>("search") {
    // error: referencing static method 'feature' on 'Rule' requires that 'Visitor' conform to 'FeatureContext'
    Candidate("web") { WebSearch() }.when(.feature("web"))
  }
  let withoutIdentifier = PluginPoint<any Search, Visitor>("search") {
    // error: is unavailable: a weight needs an identifier: .weight(20, by: \.id)
    Candidate("web") { WebSearch() }.weight(20)
  }

  // error: is unavailable: a rollout needs an identifier: .rollout(25, of: "name", by: \.id)
  let withoutBy = Point("search", when: .rollout(25, of: "web")) {}
  // error: value of type 'Shopper' has no member 'idd'
  let misspelledIdentifier = Point("search", when: .rollout(25, of: "web", by: \.idd)) {}
  let misspelledWeight = Point("search") {
    // error: value of type 'Shopper' has no member 'idd'
    Candidate("web") { WebSearch() }.weight(20, by: \.idd)
  }
  // error: missing argument for parameter 'of' in call
  let withoutOf = Point("search", when: .rollout(25, by: \.id)) {}
  // error: static method 'rollout(_:of:by:hashing:)' requires that 'Bool' conform to 'Comparable'
  let byFlag = Point("search", when: .rollout(25, of: "web", by: \.isStaff)) {}

  // error: is unavailable: a candidate needs an id: Candidate("name") { … }
  let withoutID = Point("search") { Candidate { WebSearch() } }
  // error: is unavailable: a candidate needs an id: Candidate("name", .factory { … })
  let withoutIDOfInjection = Point("search") { Candidate(.factory { WebSearch() }) }
  // error: is unavailable: a point needs an id: PluginPoint<any Search, Shopper>("search") { … }
  let withoutIDOfPoint = Point { Candidate("web") { WebSearch() } }

  func find() async throws -> any Search { WebSearch() }

  // error: is unavailable: use Candidate("name", .lazySingleton { try await … }), and load it
  let asynchronous = Point("search") { Candidate("web") { try await find() } }
  // error: extra trailing closure passed in call
  let twoClosures = Point("search") { Candidate("web", .factory { WebSearch() }) { WebSearch() } }
#endif
