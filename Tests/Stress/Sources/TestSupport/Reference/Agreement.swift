/// The comparison of injectors with the reference model.
package enum Agreement {
  /// Performs operations on injectors and on the model, and compares what happens.
  ///
  /// - Returns: The first difference, with the operations of a short program that has one; `nil` if there is none.
  package static func difference(allowsRewriting: Bool = false, _ operations: [Operation]) -> String? {
    guard let first = firstDifference(allowsRewriting, operations) else { return nil }
    var program = Array(operations[...first.index])
    var text = first.text
    // Leaves out whatever the difference does not depend on.
    var index = program.count - 1
    while index >= 0 {
      for shorter in [nil] + program[index].shorter {
        var changed = program
        if let shorter { changed[index] = shorter } else { changed.remove(at: index) }
        guard let difference = firstDifference(allowsRewriting, changed) else { continue }
        (program, text) = (Array(changed[...difference.index]), difference.text)
        index = program.count
        break
      }
      index -= 1
    }
    let rewriting = allowsRewriting ? "allowsRewriting: true, " : ""
    let code = program.map { "  \($0),\n" }.joined()
    return "\(text)\nAgreement.difference(\(rewriting)[\n\(code)])"
  }

  private static func firstDifference(
    _ allowsRewriting: Bool, _ operations: [Operation]
  ) -> (index: Int, text: String)? {
    let program = InjectorProgram(Ledger(), allowsRewriting: allowsRewriting)
    let model = ReferenceModel(Ledger(), allowsRewriting: allowsRewriting)
    defer { program.end() }
    for (index, operation) in operations.enumerated() {
      let (found, expected) = ("\(program.perform(operation))", "\(model.perform(operation))")
      var (events, expectedEvents) = (program.ledger.takeEvents(), model.ledger.takeEvents())
      if operation.isChange { (events, expectedEvents) = (events.sorted(), expectedEvents.sorted()) }
      let (living, expectedLiving) = (program.ledger.living, model.ledger.living)
      if found == expected, events == expectedEvents, living == expectedLiving { continue }
      return (
        index,
        """
        Plug: \(found), after \(events), living \(living)
        Model: \(expected), after \(expectedEvents), living \(expectedLiving)
        """
      )
    }
    return nil
  }
}

extension Operation {
  /// Whether it replaces or removes registrations, which does not close their instances in the order of closing yet.
  fileprivate var isChange: Bool {
    switch self {
    case .register, .candidate, .unregister: true
    default: false
    }
  }

  /// The operation with less in it.
  fileprivate var shorter: [Operation] {
    switch self {
    case .register(let plan, let place): plan.shorter.map { .register($0, in: place) }
    case .candidate(let id, let plan, let gate, let priority, let place):
      plan.shorter.map { .candidate(id, $0, gate: gate, priority: priority, in: place) }
    case .decorate(let service, let needs, let place):
      needs.shorter.map { .decorate(service, needs: $0, in: place) }
    default: []
    }
  }
}

extension Plan {
  fileprivate var shorter: [Plan] {
    needs.shorter.map { Plan(service, life, needs: $0, links: links) }
      + (links.map { links in [nil] + links.shorter } ?? []).map { Plan(service, life, needs: needs, links: $0) }
  }
}

extension [Need] {
  fileprivate var shorter: [[Need]] {
    indices.map { index in
      var rest = self
      rest.remove(at: index)
      return rest
    }
  }
}
