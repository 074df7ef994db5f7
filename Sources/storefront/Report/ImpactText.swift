import Plug
import PlugFlags
import PlugOperations

/// The effects of another flag document: on the chosen candidates, and on the flags that the shop reads directly.
struct ImpactText {
  /// The shoppers for whom something changes.
  private struct Move {
    let subject: String
    let from: String
    let to: String
    let shoppers: [String]
  }

  private let shopperCount: Int
  private let moves: [Move]

  init(_ impact: Impact, on shoppers: [Shopper], from old: FlagDocument, to new: FlagDocument) {
    shopperCount = shoppers.count
    let chosen = impact.moves.map { move in
      Move(subject: move.service, from: move.from ?? "none", to: move.to ?? "none", shoppers: move.contexts)
    }
    let read = Dictionary(grouping: shoppers) { shopper in
      [old, new].map { $0.evaluate(.searchResults, in: shopper).value }
    }
    let differing = read.filter { $0.key[0] != $0.key[1] }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    moves =
      chosen
      + differing.map { values, shoppers in
        Move(
          subject: FlagKey.searchResults.name, from: "\(values[0])", to: "\(values[1])", shoppers: shoppers.map(\.id))
      }
  }
}

extension ImpactText: CustomStringConvertible {
  /// `12 shoppers: Checkout of 3 changes`, and a table with the old and the new value.
  var description: String {
    let shoppers = shopperCount == 1 ? "1 shopper" : "\(shopperCount) shoppers"
    if moves.isEmpty { return "\(shoppers): nothing changes\n" }
    var table = Table(header: ["WHAT", "FROM", "TO", "SHOPPERS"])
    table.rows = moves.map { [$0.subject, $0.from, $0.to, $0.shoppers.joined(separator: ", ")] }
    return "\(shoppers): \(changes.joined(separator: ", "))\n\n\(table)"
  }

  /// The number of shoppers for each subject that changes, in the order of the table.
  private var changes: [String] {
    let counts = Dictionary(moves.map { ($0.subject, $0.shoppers.count) }, uniquingKeysWith: +)
    var subjects: [String] = []
    for move in moves where subjects.last != move.subject { subjects.append(move.subject) }
    return subjects.map { "\($0) of \(counts[$0] ?? 0) changes" }
  }
}
