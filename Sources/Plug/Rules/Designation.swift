/// What names candidates from outside of the program, such as the variants of a flag that decides a point.
///
/// ``Injector/validate()`` compares the names with the candidates that there are.
@usableFromInline
package struct Designation: Sendable {
  /// What it is, for messages: `flag "checkout"`.
  let source: String

  /// What a name is there: `variant`.
  let role: String

  /// The names that an injector knows at the moment.
  let names: @Sendable (Injector) -> [String]

  /// - Parameters:
  ///   - source: What it is, for messages. Designations of one service with the same source are one.
  ///   - role: What a name is there.
  ///   - names: Gives the names that an injector knows at the moment.
  package init(source: String, role: String, names: @escaping @Sendable (Injector) -> [String]) {
    (self.source, self.role, self.names) = (source, role, names)
  }
}

extension Rule.Expression {
  var designations: [Designation] {
    switch self {
    case .constant: []
    case .condition(let condition): condition.designation.map { [$0] } ?? []
    case .not(let part): part.designations
    case .all(let parts), .any(let parts): parts.flatMap(\.designations)
    }
  }
}
