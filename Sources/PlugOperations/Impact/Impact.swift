import Plug

/// The effect that a change would have on the choices in the given contexts.
///
/// ``Plug/Injector/impact(on:by:of:)`` returns it.
public struct Impact: Sendable, Hashable {
  /// The contexts in which one candidate of a service would replace another.
  public struct Move: Sendable, Hashable {
    /// The service, with its tag, and with its module if another service has the same name.
    public let service: String

    /// The id of the candidate that is chosen without the change; `nil` if there is none, or the service is not
    /// registered.
    public let from: String?

    /// The id of the candidate that is chosen with the change; `nil` if there is none, or the service is not
    /// registered.
    public let to: String?

    /// The error of the choice with the change, in one line; `nil` if the choice does not fail.
    public let error: String?

    /// The identifiers of the contexts; without a key path, their numbers counted from 1, such as `#3`.
    public let contexts: [String]
  }

  /// The number of contexts.
  public let contextCount: Int

  /// The number of contexts that would get another candidate of any service.
  public let affectedCount: Int

  /// The differences by service and candidates; empty if there are none.
  public let moves: [Move]

  /// - Parameter affectedCount: `nil` if each context has an identifier of its own.
  init(contextCount: Int, affectedCount: Int? = nil, moves: [Move]) {
    self.contextCount = contextCount
    self.affectedCount = affectedCount ?? Set(moves.flatMap(\.contexts)).count
    self.moves = moves
  }
}

extension Impact: CustomStringConvertible {
  /// A headline, and a table with a line for each move. A line lists at most ten contexts.
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
