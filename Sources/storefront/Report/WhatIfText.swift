import Plug
import PlugOperations

/// The changes after which a candidate would be the first one chosen for a shopper.
struct WhatIfText {
  let shopper: Shopper
  let wish: String
  let explanations: [Explanation]
}

extension WhatIfText: CustomStringConvertible {
  /// The shopper's id, and a line for each smallest set of conditions.
  var description: String {
    let changes = explanations.flatMap { $0.changes(toSelect: wish) }
    if changes.contains([]) { return "\(shopper.id): gets it\n" }
    if changes.isEmpty { return "\(shopper.id): nothing would do\n" }
    let lines = changes.map { set in "  " + set.map(\.description).joined(separator: ", and ") }
    return (["\(shopper.id):"] + lines).joined(separator: "\n") + "\n"
  }
}
