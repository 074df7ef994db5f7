/// What a change would do to the choices in some contexts.
///
/// ``Injector/impact(on:by:of:)`` returns it.
public struct Impact: Sendable, Hashable, Codable {
  /// Contexts that get another candidate of a service.
  public struct Move: Sendable, Hashable, Codable {
    /// The service, with its tag.
    public let service: String

    /// The id of the candidate that is chosen without the change; `nil` if none is, or the service is not registered.
    public let from: String?

    /// The id of the candidate that is chosen with the change; `nil` if none is, or the service is not registered.
    public let to: String?

    /// Why the choice fails with the change, in one line; `nil` if it does not.
    public let error: String?

    /// What identifies the contexts; their places counted from 1, such as `#3`, if no key path says that.
    public let contexts: [String]
  }

  /// How many contexts there are.
  public let contextCount: Int

  /// What differs, by service and candidates; empty if nothing does.
  public let moves: [Move]
}

extension Impact: CustomStringConvertible {
  /// A headline, and a table with a line for each move. Of many contexts it names the first ten.
  public var description: String {
    let affected = Set(moves.flatMap(\.contexts)).count
    let headline = "\(affected) of \(contextCount) contexts would get another candidate"
    if moves.isEmpty { return headline }
    let header = ["service", "from", "to", "contexts"]
    let rows = [header] + moves.map { [$0.service, $0.from ?? "none", $0.to ?? "none", $0.list] }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = widths.indices.map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count) }
      return (["  "] + cells.map { $0 + "  " } + [row[3]]).joined()
    }
    return ([headline] + lines).joined(separator: "\n")
  }
}

extension Impact.Move {
  fileprivate var list: String {
    let named = contexts.prefix(10).joined(separator: ", ")
    let rest = contexts.count > 10 ? " and \(contexts.count - 10) more" : ""
    return "\(contexts.count): \(named)\(rest)" + (error.map { " (\($0))" } ?? "")
  }
}
