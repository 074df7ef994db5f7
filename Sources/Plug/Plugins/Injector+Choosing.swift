// How a request becomes a choice.

extension Selector: Candidates {
  /// Begins a choice.
  ///
  /// - Parameter given: The context; by default the one that is registered in the injector.
  @inline(__always) func choice(
    for service: Registration, by injector: Injector, in given: ContextReference?
  ) throws -> Choice {
    let order = order
    let context = try injector.context(given, for: order, service)
    return Choice(order, service, in: context, for: injector)
  }

  func choose(
    for service: Registration, by injector: Injector, in given: ContextReference?, isOptional: Bool
  ) throws -> Chosen {
    var choice = try choice(for: service, by: injector, in: given)
    if let box = try choice.makeFirst() { return .instance(box) }
    if choice.hasLost { return .lost }
    if isOptional { return .none }
    throw choice.failure()
  }

  func chooseAll(
    for service: Registration, by injector: Injector, in given: ContextReference?
  ) throws -> [(id: String, box: AnyBox)]? {
    var choice = try choice(for: service, by: injector, in: given)
    let boxes = try choice.makeAll()
    return choice.hasLost ? nil : boxes
  }

  var areContributions: Bool { order.isContextFree && fallback == nil }
}

extension Injector {
  /// Returns the context of a choice: the given one, this injector if the candidates are chosen by an injector, or the
  /// registered one.
  fileprivate func context(
    _ given: ContextReference?, for order: CandidateOrdering, _ registration: Registration
  ) throws -> ContextReference {
    let type = order.contextType
    if let given {
      if type == given.type { return given }
      guard order.isContextFree else {
        throw contextMismatch(registration, expected: type, found: given.type)
      }
    }
    if type == Injector.self { return ContextReference(.held(Box<Injector>(self)), type) }
    // A context that needs the service itself forms a cycle.
    let stack = try begin(registration)
    let box: AnyBox?
    do { box = try foundIfRegistered(Key(type)) } catch { throw fail(error, registration, stack) }
    try end(stack)
    guard let box else { throw InjectorError.contextMissing(facts(about: registration), context: typeName(type)) }
    return ContextReference(.held(box), type)
  }

  @inline(never)
  func contextMismatch(_ registration: Registration, expected: any Any.Type, found: any Any.Type) -> InjectorError {
    .contextMismatch(facts(about: registration), expected: typeName(expected), found: typeName(found))
  }
}

extension Injector {
  /// The id of the candidate that wins in a context, by default the injector's own; `nil` if none applies.
  package func winner(of key: Key, in context: ContextReference?) throws(InjectorError) -> String? {
    let cell = try existingCell(of: key)
    return try InjectorError.entering { try winner(of: cell, in: context) }
  }

  func winner(of cell: Cell, in given: ContextReference?) throws -> String? {
    guard var choice = try cell.selector?.choice(for: cell.registration, by: self, in: given) else {
      return fallbackID
    }
    choice.passUntried()
    return try choice.next() ? choice.candidate.id : nil
  }

  /// Explains the choice in a context, by default the injector's own.
  func explanation(of key: Key, in given: ContextReference?) throws(InjectorError) -> Explanation {
    try explanation(of: existingCell(of: key), in: given)
  }

  package func explanation(of cell: Cell, in given: ContextReference?) throws(InjectorError) -> Explanation {
    let registration = cell.registration
    // The rules would be evaluated again within their own evaluation.
    if registration.isChoice,
      let path = ThreadStack.current.with({ $0.frame(making: registration, for: self) == nil ? nil : $0.path })
    {
      throw InjectorError(cycle(path, to: registration))
    }
    let choice = try InjectorError.entering { try cell.selector?.choice(for: registration, by: self, in: given) }
    if let choice { return choice.explanation() }
    let element = Explanation.Element(
      id: fallbackID, verdict: .selected, rank: 1, module: registration.location.module)
    return Explanation(
      subject: typeName(registration.key.type), context: given.map { typeName($0.type) } ?? "any context",
      elements: [element], decorators: registration.decorators)
  }
}
