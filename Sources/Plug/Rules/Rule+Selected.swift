extension Rule {
  /// Satisfied if a candidate is the one selected at another point, in the same context.
  ///
  /// ```swift
  /// Candidate("vouchers") { Vouchers() }.when(.selected("one-click", at: "checkout"))
  /// ```
  ///
  /// It is found out anew each time. The point is looked for in the injector that is asked, and in those around it; its
  /// rules look at the same context, or at the injector. The rule is indeterminate if there is no such point, if two
  /// have the id, if a scope has something else for its service, or if its rules look at another type of context.
  ///
  /// If points are selected by each other in a circle, ``Injector/validate(_:)`` reports a problem, and a choice that
  /// comes to it fails with ``InjectorError/circularDependency(_:path:)``, unless another candidate applies.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a registered ``PluginPoint``, or the name of a service with candidates.
  public static func selected(_ candidate: String, at point: String) -> Self {
    let name = "\(quoted(candidate)) is selected at \(quoted(point))"
    let condition = Condition(
      name: name, test: .injector { try injector(of: $0, $1).isolated().winner(at: point, in: $0) == candidate },
      operand: {
        let winner = try injector(of: $0, $1).isolated().winner(at: point, in: $0)
        return Operand(text: winner.map(quoted) ?? "none", value: RuleTrace.Value(winner))
      },
      prerequisite: Prerequisite(candidate: candidate, point: point))
    return Rule(.condition(condition))
  }
}

/// What a rule needs to be selected elsewhere.
struct Prerequisite: Sendable, Hashable {
  let candidate: String
  let point: String
}

extension Rule.Expression {
  var prerequisites: [Prerequisite] {
    switch self {
    case .constant: []
    case .condition(let condition): condition.prerequisite.map { [$0] } ?? []
    case .not(let part): part.prerequisites
    case .all(let parts), .any(let parts): parts.expressions.flatMap(\.prerequisites)
    }
  }
}

extension Injector {
  /// The candidate selected at a point that is registered here, or in what this is a scope of.
  fileprivate func winner<Context: Sendable>(at point: String, in context: Context) throws -> String? {
    for level in registrations.levels {
      let entries = level.entries(ofPoint: point)
      if level.isClosed { throw UnknownPoint(reason: "the injector is closed") }
      if entries.count > 1 { throw UnknownPoint(reason: "\(entries.count) services have a point \(quoted(point))") }
      guard let entry = entries.first else { continue }
      if registrations.levels.first(where: { $0.has(entry.key) }) !== level {
        throw UnknownPoint(reason: "\(entry.key.name) is registered in a scope without the point \(quoted(point))")
      }
      return try entry.prerequisite(in: context, for: self)
    }
    throw UnknownPoint(reason: "no point \(quoted(point)) is registered")
  }
}

/// The reason why a rule about the selection at a point is indeterminate.
struct UnknownPoint: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
