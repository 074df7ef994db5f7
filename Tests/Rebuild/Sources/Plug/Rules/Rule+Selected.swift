extension Rule {
  /// Satisfied if a candidate is the one selected at another point, in the same context.
  ///
  /// ```swift
  /// Candidate("vouchers") { Vouchers() }.when(.selected("one-click", at: "checkout"))
  /// ```
  ///
  /// A choice evaluates each point once. The point is looked for in the injector that is asked, and in those around it;
  /// its rules look at the same context, or at the injector. The rule is indeterminate if there is no such point, if
  /// two have the id, if a scope has something else for its service, or if its rules look at another type of context.
  ///
  /// If points are selected by each other in a circle, ``Injector/validate(_:)`` reports a problem, and a choice that
  /// comes to it fails with ``InjectorError/circularDependency(_:path:)``, unless another candidate applies.
  ///
  /// - Parameters:
  ///   - candidate: The id of the candidate; `"default"` for the registration without a rule.
  ///   - point: The id of a registered ``PluginPoint``, or the name of a service with candidates.
  public static func selected(_ candidate: String, at point: String) -> Self {
    let name = "\(quoted(candidate)) is selected at \(quoted(point))"
    let winner: @Sendable (ContextReference, Injector) throws -> String? = { context, injector in
      let asked = context.type == Injector.self ? context.open(as: Injector.self) { $0 } : injector
      return try asked.winner(at: point, in: context)
    }
    let condition = RuleCondition(
      name: name, test: { try winner($0, $1) == candidate },
      operand: {
        let winner = try winner($0, $1)
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

extension Injector {
  /// The candidate that is selected at a point; `nil` if none applies.
  fileprivate func winner(at point: String, in context: ContextReference) throws -> String? {
    let injector = redirected() ?? self
    for level in injector.levels {
      let cells = level.cells.filter { $0.selector?.pointIDs.contains(point) == true }
      if level.isClosedItself { throw UnknownPoint(reason: "the injector is closed") }
      if cells.count > 1 { throw UnknownPoint(reason: "\(cells.count) services have a point \(quoted(point))") }
      guard let cell = cells.first, let selector = cell.selector else { continue }
      if try injector.find(cell.registration.key)?.registration.depth != cell.registration.depth {
        throw UnknownPoint(
          reason: "\(cell.registration.name) is registered in a scope without the point \(quoted(point))")
      }
      let registration = cell.registration
      return try Level.current.with { stack in
        if let known = stack.own.winners[registration, injector] { return known.id }
        stack.own.keepsContext = true
        let chosen = try selector.choose(inAny: context, for: injector, registration, isLimited: true).first
        let id = chosen.map { $0.registration.candidate ?? Fallback.id }
        stack.own.winners[registration, injector] = Winners.Winner(id: id)
        return id
      }
    }
    throw UnknownPoint(reason: "no point \(quoted(point)) is registered")
  }
}

struct UnknownPoint: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}

/// What rules have found to be selected, as long as one context is looked at.
struct Winners {
  struct Winner {
    let id: String?
  }

  private var known: [(registration: Registration, injector: UInt, winner: Winner)] = []

  subscript(registration: Registration, injector: Injector) -> Winner? {
    get { known.first { $0.registration === registration && $0.injector == injector.number }?.winner }
    set {
      if let newValue { known.append((registration, injector.number, newValue)) }
    }
  }
}
