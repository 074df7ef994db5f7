extension PluginPoint {
  /// The instances of all candidates that apply, in order.
  ///
  /// ```swift
  /// for provider in search.plugins(in: shopper) { show(provider.results) }
  /// ```
  ///
  /// It traps with a diagnostic if an instance cannot be made; ``getAll(in:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - context: The value that the rules look at.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func plugins(in context: Context, fileID: StaticString = #fileID, line: UInt = #line) -> [Service] {
    orTrap("plugins(in:) of the point \"\(id)\" failed.", fileID, line) { () throws(InjectorError) in
      try getAll(in: context)
    }
  }

  /// The instance of the first candidate that applies; `nil` if none does.
  ///
  /// It traps with a diagnostic if the instance cannot be made; ``get(in:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - context: The value that the rules look at.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Complexity: O(*n*) rules for *n* candidates, and fewer if an early candidate applies.
  public func first(in context: Context, fileID: StaticString = #fileID, line: UInt = #line) -> Service? {
    // Not with `orTrap`, whose generic closure looks up the metadata of this type in each call.
    do {
      return try firstOrThrow(in: context)
    } catch {
      trap("first(in:) of the point \"\(id)\" failed.", error, fileID, line)
    }
  }

  /// Gets the instance of the first candidate that applies.
  ///
  /// - Parameter context: The value that the rules look at.
  /// - Returns: The instance. The other candidates' instances are not made.
  /// - Throws: ``InjectorError/noCandidate(_:_:)`` with an ``Explanation`` if none applies, or the error that prevented
  ///   the instance from being made.
  /// - Complexity: O(*n*) rules for *n* candidates, and fewer if an early candidate applies.
  public func get(in context: Context) throws(InjectorError) -> Service {
    do { if let service = try firstOrThrow(in: context) { return service } } catch { throw InjectorError(error) }
    throw .noCandidate(facts(at: location), explain(in: context))
  }

  /// Gets the instances of all candidates that apply, in order.
  ///
  /// - Parameter context: The value that the rules look at.
  /// - Returns: The instances; an empty array if no candidate applies.
  /// - Throws: The error that prevented an instance from being made.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func getAll(in context: Context) throws(InjectorError) -> [Service] {
    let candidates = candidates
    return try InjectorError.entering {
      try ContextReference.with(context) { context in
        var choice = candidates.choice(in: context)
        return try choice.makeAll()
      }
    }.map { $0.box.open() }
  }

  /// Explains which candidates apply, and why.
  ///
  /// Every rule is evaluated, and no instance is made.
  ///
  /// - Parameter context: The value that the rules look at.
  /// - Returns: A tree that prints as text.
  public func explain(in context: Context) -> Explanation {
    choice(in: ContextReference(holding: context)).explanation()
  }

  private func firstOrThrow(in context: Context) throws -> Service? {
    // Not in the closure, which would have to look up the metadata of this type.
    let candidates = candidates
    return try ContextReference.with(context) { context in
      var choice = candidates.choice(in: context)
      return try choice.makeFirst()
    }?.open(as: Service.self)
  }
}

extension PluginPoint {
  /// The choice among the candidates of a point that is used without an injector.
  package func choice(in context: ContextReference) -> Choice { candidates.choice(in: context) }

  private var candidates: StandaloneCandidates {
    let home = home.active
    if let known = home.candidates { return known }
    let key = Key(Service.self)
    var (elements, cells) = ([ChoiceElement](), [UInt: Cell]())
    let gate = rule.expression.isAlways ? nil : Gate(id, rule.expression, addedTo: &elements)
    let declared = self.elements.candidates.map { candidate in
      let cell = cells[candidate.number] ?? home.cells[candidate.number] ?? home.newCell(of: candidate, key)
      cells[candidate.number] = cell
      return cell
    }
    self.elements.add(to: &elements, in: gate, declared)
    let order = CandidateOrdering(elements, name: id, contextType: Context.self, isStandalone: true)
    let registration = Registration(key, .factory, AnyRecipe.unused, isChoice: true, depth: 0, location: location)
    return home.keep(StandaloneCandidates(order, registration, cells, of: home.injector))
  }
}
