import Plug
import PlugKeys

/// The part of the help that lists the candidates of the shop, none of which it makes.
struct CandidateHelp: CustomStringConvertible {
  let description: String

  init(_ services: Injector) throws {
    let guest = Shopper(
      id: "guest", country: "DE", tier: nil, appVersion: "3.0.0", features: [],
      basket: Basket(totalInCents: 50_00, weightInGrams: 1_000))
    var text = "Candidates, and which of them a guest from Germany is offered:\n"
    func add<Service: Sendable>(_ point: String, _ type: Service.Type) throws {
      for candidate in try services.candidates(of: type, in: guest) {
        let name = "\(candidate.id)@\(point)"
        let padding = String(repeating: " ", count: max(20 - name.count, 0))
        let summary = candidate.metadata(Summary.self)?.text ?? ""
        text += "  \(candidate.applies ? "+" : "-") \(name)\(padding)  \(summary)\n"
      }
    }
    try add("checkout", (any Checkout).self)
    try add("payment", (any PaymentMethod).self)
    try add("search", (any SearchProvider).self)
    try add("delivery", (any DeliveryQuote).self)
    description = text
  }
}
