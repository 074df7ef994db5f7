extension Rule {
  /// Satisfied if a candidate is selected at another point in the same context.
  ///
  /// ```swift
  /// Candidate("vouchers") { Vouchers() }.when(.selected("one-click", at: "checkout"))
  /// ```
  ///
  /// A choice evaluates each point once. The rule searches for the point in the injector that makes the choice and in
  /// its parents. The rules of that point look at the same context, or at the injector. The rule is indeterminate if
  /// there is no such point, if two points have the id, if a scope replaces the point's service, or if the point has
  /// another type of context.
  ///
  /// If the rules of points refer to each other in a cycle, `audit()` of PlugOperations reports it, and a choice that
  /// reaches the cycle fails with ``InjectorError/circularDependency(_:path:)``, unless another candidate applies.
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
      name, { try winner($0, $1) == candidate },
      operand: {
        let winner = try winner($0, $1)
        return Operand(text: winner.map(quoted) ?? "none", value: RuleTrace.Value(winner as Any))
      },
      RuleCondition.Traits(isRemembered: true, prerequisite: (candidate, point)))
    return Rule(.condition(condition))
  }
}

extension Injector {
  /// The candidate that is selected at a point; `nil` if none applies.
  fileprivate func winner(at point: String, in context: ContextReference) throws -> String? {
    let injector = active
    for level in injector.levels {
      let found = level.keys(ofPoint: point)
      if level.isClosedItself { throw RuleFailure("the injector is closed") }
      guard let key = found.first, let cell = level.registeredCell(of: key) else { continue }
      if found.count > 1 { throw RuleFailure("\(found.count) services have a point \(quoted(point))") }
      let registration = cell.registration
      if try injector.find(registration.key)?.registration.depth != registration.depth {
        throw RuleFailure("\(registration.name) is registered in a scope without the point \(quoted(point))")
      }
      let looksAtInjector = cell.selector?.contextType == Injector.self && context.type != Injector.self
      return try context.candidate(by: registration, for: injector) {
        try injector.winner(of: cell, in: looksAtInjector ? nil : context)
      }
    }
    throw RuleFailure("no point \(quoted(point)) is registered")
  }

  /// The keys of the services that have a point here.
  private func keys(ofPoint point: String) -> [Key] {
    // A scope has few registrations and a short life.
    if isScope { return cells.filter { $0.order?.pointIDs.contains(point) == true }.map(\.registration.key) }
    return updateAttachment(PointIndex.self) { $0 ?? PointIndex() }?.keys(of: point, in: self) ?? []
  }
}

/// The keys of the services that have a point, by its id. They are found again after registrations have changed.
private final class PointIndex: Attachment {
  private let known = Guarded((keys: [String: [Key]](), changes: -1))

  func keys(of point: String, in injector: Injector) -> [Key] {
    let changes = injector.changes
    if let keys = known.withLock({ $0.changes == changes ? $0.keys[point] ?? [] : nil }) { return keys }
    var keys: [String: [Key]] = [:]
    for cell in injector.cells {
      for id in Set(cell.order?.pointIDs ?? []) { keys[id, default: []].append(cell.registration.key) }
    }
    known.withLock { [keys] in $0 = (keys, changes) }
    return keys[point] ?? []
  }
}
