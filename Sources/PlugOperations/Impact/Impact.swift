import Plug

/// What a change would do to the choices in some contexts.
///
/// ``Plug/Injector/impact(on:by:of:)`` returns it.
public struct Impact: Sendable, Hashable {
  /// Contexts that get another candidate of a service.
  public struct Move: Sendable, Hashable {
    /// The service, with its tag; with its module if another service has its name.
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

  /// How many of them get another candidate of any service.
  public let affectedCount: Int

  /// What differs, by service and candidates; empty if nothing does.
  public let moves: [Move]

  /// - Parameter affectedCount: `nil` if each context has an identifier of its own.
  init(contextCount: Int, affectedCount: Int? = nil, moves: [Move]) {
    self.contextCount = contextCount
    self.affectedCount = affectedCount ?? Set(moves.flatMap(\.contexts)).count
    self.moves = moves
  }
}

extension Impact: CustomStringConvertible {
  /// A headline, and a table with a line for each move. Of many contexts it names the first ten.
  public var description: String {
    let headline = "\(affectedCount) of \(contextCount) contexts would get another candidate"
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

extension Impact: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      contextCount: try json.member("contextCount", \.int), affectedCount: try json.optional("affectedCount", \.int),
      moves: try json.member("moves") { try $0.list { try Move($0) } })
  }

  var json: JSON {
    JSON(members: [
      "contextCount": .of(contextCount), "affectedCount": .of(affectedCount), "moves": .array(moves.map(\.json)),
    ])
  }
}

extension Impact.Move: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      service: try json.member("service", \.text), from: try json.optional("from", \.text),
      to: try json.optional("to", \.text), error: try json.optional("error", \.text),
      contexts: try json.member("contexts", \.texts))
  }

  var json: JSON {
    JSON(members: [
      "service": .string(service), "from": from.map(JSON.string), "to": to.map(JSON.string),
      "error": error.map(JSON.string), "contexts": .array(contexts.map(JSON.string)),
    ])
  }
}
