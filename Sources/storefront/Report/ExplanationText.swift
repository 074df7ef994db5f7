import Plug

/// The reasons for a shopper's line in the table.
struct ExplanationText {
  let shopper: Shopper
  let explanations: [Explanation]

  init(of shopper: Shopper, _ explanations: [Explanation]) {
    self.shopper = shopper
    self.explanations = explanations
  }
}

extension ExplanationText: CustomStringConvertible {
  /// The shopper's id, followed by a tree for each service.
  var description: String {
    let trees = explanations.map { explanation in
      explanation.description.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
    return "\(shopper.id)\n" + trees.joined()
  }
}
