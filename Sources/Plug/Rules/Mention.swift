/// What a condition looks at outside of the program, such as a flag.
@usableFromInline
package struct Mention: Sendable {
  /// Names of candidates that it has, such as the variants of a flag that decides a point.
  ///
  /// ``Injector/validate(_:)`` compares them with the candidates that there are.
  package struct Designation: Sendable {
    /// What a name is there: `variant`.
    let role: String

    /// The names that an injector knows at the moment.
    let names: @Sendable (Injector) -> [String]

    package init(role: String, names: @escaping @Sendable (Injector) -> [String]) {
      (self.role, self.names) = (role, names)
    }
  }

  /// What it is: `flag`.
  let kind: String

  /// What it is called.
  let key: String

  /// `nil` if it names no candidates.
  let designation: Designation?

  package init(kind: String, key: String, designation: Designation? = nil) {
    (self.kind, self.key, self.designation) = (kind, key, designation)
  }
}

extension Mention: CustomStringConvertible {
  /// What it is, for messages: `flag "checkout"`.
  @usableFromInline package var description: String { "\(kind) \(quoted(key))" }
}

extension Rule.Expression {
  var mentions: [Mention] {
    switch self {
    case .constant: []
    case .condition(let condition): condition.mention.map { [$0] } ?? []
    case .not(let part): part.mentions
    case .all(let parts), .any(let parts): parts.expressions.flatMap(\.mentions)
    }
  }
}

extension Injector {
  /// What the rules look at outside of the program, of all that is registered here and in what this is a scope of.
  ///
  /// - Parameter kind: What it is: `flag`.
  /// - Returns: The services whose rules look at it, by what it is called, with the places of their registrations.
  package func mentions(of kind: String) -> [String: [(service: String, place: CodeLocation)]] {
    var places: [String: [(service: String, place: CodeLocation)]] = [:]
    for entry in isolated().visibleEntries.sorted(by: { $0.key.name < $1.key.name }) {
      for key in Set(entry.mentions.filter { $0.kind == kind }.map(\.key)) {
        places[key, default: []].append((entry.key.name, entry.location))
      }
    }
    return places
  }
}
