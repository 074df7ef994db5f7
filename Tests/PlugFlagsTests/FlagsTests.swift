import Plug
import PlugFlags
import PlugKeys
import Testing

@Suite("The current document")
struct FlagsTests {
  private let services = Injector("services")
  private let newCheckout = FlagKey("new-checkout", default: false)

  @Test("is one without flags before it is set")
  func empty() {
    #expect(services[Flags.self] == .empty)
    #expect(FlagDocument.empty.json(isIndented: false) == #"{"flags":{}}"#)
    #expect(FlagDocument.empty.problems.isEmpty)
    let evaluation = services.evaluation(of: newCheckout, in: Buyer())
    #expect(
      evaluation
        == FlagEvaluation(
          value: false, variant: nil, reason: .error, errorCode: .flagNotFound,
          errorMessage: #"the document has no flag "new-checkout""#))
  }

  @Test("is a property, which can be set in a sealed injector, and observed")
  func property() throws {
    try services.seal()
    let (first, second) = (try flags(["new-checkout": constant(true)]), try flags(["new-checkout": constant(false)]))
    let log = Log<FlagDocument>()
    let observation = services.observe(Flags.self) { log.add($0) }
    services[Flags.self] = first
    #expect(services.flag(newCheckout, in: Buyer()))
    services[Flags.self] = second
    #expect(!services.flag(newCheckout, in: Buyer()))
    #expect(log.elements == [first, second])
    observation.cancel()
  }

  @Test("is the parent's in a scope, until the scope has its own")
  func scopes() throws {
    let document = try flags(["new-checkout": constant(true)])
    services[Flags.self] = document
    let scope = services.makeScope("request")
    #expect(scope.flag(newCheckout, in: Buyer()))
    scope[Flags.self] = scope[Flags.self]
    services[Flags.self] = .empty
    #expect(scope.flag(newCheckout, in: Buyer()))
    #expect(!services.flag(newCheckout, in: Buyer()))
  }

  @Test("lets flags be evaluated with their reason, and explained")
  func evaluating() throws {
    let targeting = #"{"if": [{"in": [{"var": "country"}, ["AT", "DE"]]}, "one-click"]}"#
    services[Flags.self] = try flags([
      "checkout": choice(of: ["one-click", "classic"], "classic", targeting: targeting)
    ])
    let key = FlagKey("checkout", default: "none")
    #expect(
      services.evaluation(of: key, in: Buyer())
        == FlagEvaluation(value: "one-click", variant: "one-click", reason: .targetingMatch))
    #expect(services.flag(key, in: Buyer(country: "FR")) == "classic")
    #expect(
      services.explainFlag("checkout", in: Buyer()).description == """
        flag "checkout": one-click = "one-click" (TARGETING_MATCH)
          if: "one-click"
            in: true
              var country: "DE"
              ["AT","DE"]
            "one-click"
        """)
  }

  @Test("is an error of each evaluation in a closed injector")
  func closed() async throws {
    await services.close()
    let evaluation = services.evaluation(of: newCheckout, in: Buyer())
    #expect(evaluation.value == false && evaluation.reason == .error && evaluation.errorCode == .general)
    #expect(
      evaluation.errorMessage?.hasPrefix("Flags cannot be resolved or registered: the injector is closed.") == true)
    #expect(services.explainFlag("new-checkout", in: Buyer()).evaluation.errorMessage == evaluation.errorMessage)
  }

  @Test("changes the selection, and informs its followers", .timeLimit(.minutes(10)))
  func selections() async throws {
    try services.contribute(
      (any Checkout).self, .singleton(OneClick()), when: Rule<Buyer>.flag("new-checkout"),
      id: "one-click")
    try services.register(as: (any Checkout).self, injectable: .singleton(Classic()))
    services[Flags.self] = try flags(["new-checkout": constant(false)])
    var winners = services.selections(of: (any Checkout).self, in: Buyer()).makeAsyncIterator()
    #expect(try await winners.next() == "default")
    services[Flags.self] = try flags(["new-checkout": constant(true)])
    #expect(try await winners.next() == "one-click")
    services[Flags.self] = .empty
    #expect(try await winners.next() == "default")
  }
}
