/// The comparison of injectors with the reference model.
package enum Agreement {
  /// Performs operations on injectors and on the model, and compares what happens.
  ///
  /// - Returns: The first difference, with the operations of a short program that has one; `nil` if there is none.
  package static func difference(allowsRewriting: Bool = false, _ operations: [Operation]) async -> String? {
    guard let first = await firstDifference(allowsRewriting, operations) else { return nil }
    var program = Array(operations[...first.index])
    var text = first.text
    // Leaves out whatever the difference does not depend on.
    var index = program.count - 1
    while index >= 0 {
      for shorter in [nil] + program[index].shorter {
        var changed = program
        if let shorter { changed[index] = shorter } else { changed.remove(at: index) }
        guard let difference = await firstDifference(allowsRewriting, changed) else { continue }
        (program, text) = (Array(changed[...difference.index]), difference.text)
        index = program.count
        break
      }
      index -= 1
    }
    let rewriting = allowsRewriting ? "allowsRewriting: true, " : ""
    let code = program.map { "  \($0),\n" }.joined()
    return "\(text)\nawait Agreement.difference(\(rewriting)[\n\(code)])"
  }

  private static func firstDifference(
    _ allowsRewriting: Bool, _ operations: [Operation]
  ) async -> (index: Int, text: String)? {
    let program = InjectorProgram(Ledger(), allowsRewriting: allowsRewriting)
    let model = ReferenceModel(Ledger(), allowsRewriting: allowsRewriting)
    defer { program.end() }
    for (index, operation) in operations.enumerated() {
      let found = "\(await program.perform(operation))"
      let expected = "\(Outcome { () throws(Refusal) in try model.perform(operation) })"
      let (events, expectedEvents) = (program.ledger.takeEvents(), model.ledger.takeEvents())
      // The task of a load ends a moment after others know its result.
      var (living, patience) = (program.ledger.living, 1_000)
      let expectedLiving = model.ledger.living
      while living != expectedLiving, patience > 0 {
        await Task.yield()
        (living, patience) = (program.ledger.living, patience - 1)
      }
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
  /// The operation with less in it.
  fileprivate var shorter: [Operation] {
    switch self {
    case .register(let plan, let place): plan.shorter.map { .register($0, in: place) }
    case .decorate(let one, let place):
      one.needs.shorter.map { .decorate(Decorator(one.service, id: one.id, needs: $0), in: place) }
    default: []
    }
  }
}

extension Plan {
  fileprivate var shorter: [Plan] {
    let fewerLinks = links.map { links in [nil] + links.shorter } ?? []
    return needs.shorter.map { changed(\.needs, $0) } + fewerLinks.map { changed(\.links, $0) }
      + (candidate == nil ? [] : [changed(\.candidate, nil)]) + (isLoaded ? [changed(\.isLoaded, false)] : [])
  }

  private func changed<Value>(_ part: WritableKeyPath<Plan, Value>, _ value: Value) -> Plan {
    var copy = self
    copy[keyPath: part] = value
    return copy
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
