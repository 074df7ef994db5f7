// How a request becomes a choice.

extension Injector {
  /// Begins the choice among the candidates of a cell; `nil` if the cell has a single implementation.
  ///
  /// - Parameters:
  ///   - given: The context; by default the one that is registered in this injector.
  ///   - looksAtInjectors: Whether rules that look at an injector may look at this one instead of the given context.
  @inline(__always) func choice(
    of cell: Cell, in given: ContextReference?, looksAtInjectors: Bool = false
  ) throws(InjectorError) -> Choice? {
    guard let order = cell.selector?.order else { return nil }
    let registration = cell.registration
    let context = try context(given, for: order, registration, looksAtInjectors)
    return Choice(order, registration, in: context, for: self)
  }

  /// Returns the context of a choice: the given one, this injector if the candidates are chosen by an injector, or the
  /// registered one.
  private func context(
    _ given: ContextReference?, for order: CandidateOrdering, _ registration: Registration, _ looksAtInjectors: Bool
  ) throws(InjectorError) -> ContextReference {
    let type = order.contextType
    if let given {
      if type == given.type { return given }
      guard looksAtInjectors ? type == Injector.self : order.isContextFree else {
        throw contextMismatch(registration, expected: type, found: given.type)
      }
    }
    if type == Injector.self { return ContextReference(.held(Box<Injector>(self)), type) }
    // A context that needs the service itself forms a cycle.
    let stack = try begin(registration)
    let box: AnyBox?
    do throws(InjectorError) { box = try foundIfRegistered(Key(type)) } catch { throw fail(error, registration, stack) }
    try end(stack)
    guard let box else { throw .contextMissing(facts(about: registration), context: typeName(type)) }
    return ContextReference(.held(box), type)
  }

  @inline(never)
  func contextMismatch(_ registration: Registration, expected: any Any.Type, found: any Any.Type) -> InjectorError {
    .contextMismatch(facts(about: registration), expected: typeName(expected), found: typeName(found))
  }

  /// The facts about a service that this thread has requested.
  @inline(never)
  func facts(about registration: Registration) -> InjectorError.Facts {
    InjectorError.Facts(registration, in: self, after: ThreadStack.current.with { $0.path })
  }

  /// Throws if an instance that outlives a scope would depend on which of the scope's candidates apply, even if none
  /// does.
  func refuseCapture(of choice: Registration) throws(InjectorError) {
    if choice.depth == 0 { return }
    try ThreadStack.current.with { (stack) throws(InjectorError) in
      try refuseCapture(of: choice, in: level(at: choice.depth), stack)
    }
  }
}

extension Injector {
  /// Gets the winner in a context.
  @usableFromInline
  func chosenBox(
    for key: Key, in context: ContextReference, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> AnyBox {
    if key.tag == nil, let cell = shortWay.place(of: key.type)?.cell { return try chosenBox(of: cell, in: context) }
    if let other = redirected(fileID, line) { return try other.chosenBox(for: key, in: context, fileID, line) }
    return try Layers.answering(Request(key, givesContext: true), by: self) { () throws(InjectorError) in
      guard let cell = try find(key) else { return try derive(key, in: context) }
      return try chosenBox(of: cell, in: context)
    }
  }

  /// Gets the winner in a context, by default the injector's own.
  @inline(__always) func chosenBox(
    of cell: Cell, in given: ContextReference? = nil, isShadowed: Bool = false
  ) throws(InjectorError) -> AnyBox {
    if let box = try firstBox(of: cell, in: given, isOptional: false, isShadowed: isShadowed) { return box }
    return try derive(cell.registration.key, in: given)
  }

  /// Gets an instance of a cell, or of the cells that replace it meanwhile.
  ///
  /// - Returns: `nil` if nothing is registered any more, or if no candidate applies to an optional request.
  func firstBox(
    of found: Cell, in given: ContextReference? = nil, isOptional: Bool = true, isShadowed: Bool = false
  ) throws(InjectorError) -> AnyBox? {
    var (injector, cell) = (self, found)
    // Another thread, a rule or the factory itself may replace the cell before it has an instance, each time.
    for _ in 0..<Self.attemptLimit {
      if var choice = try injector.choice(of: cell, in: given) {
        if let box = try choice.makeFirst() { return box }
        if !choice.hasLost, isOptional { return nil }
        if !choice.hasLost { throw choice.failure() }
      } else if let box = try injector.attempt(cell, isShadowed) {
        return box
      }
      injector = active
      guard let next = try injector.successor(of: cell, isShadowed) else { return nil }
      cell = next
    }
    throw replaced(cell.registration)
  }

  /// The id of the candidate that wins in a context, by default the injector's own; `nil` if none applies.
  package func winner(of key: Key, in context: ContextReference?) throws(InjectorError) -> String? {
    guard let cell = try find(key) else { throw absence(of: key) }
    return try winner(of: cell, in: context)
  }

  func winner(
    of cell: Cell, in given: ContextReference?, looksAtInjectors: Bool = false
  ) throws(InjectorError) -> String? {
    guard var choice = try choice(of: cell, in: given, looksAtInjectors: looksAtInjectors) else { return Fallback.id }
    return try choice.winner().map { $0.registration.candidate ?? Fallback.id }
  }

  /// Gets all implementations that apply in a context, by default the injector's own, with their ids; `nil` if the
  /// service is not registered.
  @usableFromInline
  func boxes(
    for key: Key, in context: ContextReference? = nil, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) -> [(id: String, box: AnyBox)]? {
    let request = Request(key, isOptional: true, givesContext: context != nil)
    return try answering(request, fileID, line) { injector throws(InjectorError) in
      try injector.all(key, in: context)
    }
  }

  /// Gets all implementations of a cell that apply.
  ///
  /// - Parameter isShadowed: Whether the cell is requested although this injector has registered the service itself.
  func boxes(
    of cell: Cell, in given: ContextReference? = nil, isShadowed: Bool = false
  ) throws(InjectorError) -> [(id: String, box: AnyBox)] {
    var cell = cell
    for _ in 0..<Self.attemptLimit {  // As in `firstBox`.
      guard var choice = try choice(of: cell, in: given) else {
        return try firstBox(of: cell, in: given, isShadowed: isShadowed).map { [(Fallback.id, $0)] } ?? []
      }
      let boxes = try choice.makeAll()
      if !choice.hasLost { return boxes }
      guard let next = try successor(of: cell, isShadowed) else { return [] }
      cell = next
    }
    throw replaced(cell.registration)
  }

  /// Explains the choice in a context, by default the injector's own.
  package func explanation(of key: Key, in given: ContextReference?) throws(InjectorError) -> Explanation {
    guard let cell = try find(key) else { throw absence(of: key) }
    return try explanation(of: cell, in: given)
  }

  package func explanation(of cell: Cell, in given: ContextReference?) throws(InjectorError) -> Explanation {
    let registration = cell.registration
    // The rules would be evaluated again within their own evaluation.
    if registration.isChoice,
      let path = ThreadStack.current.with({ $0.frame(making: registration, for: self) == nil ? nil : $0.path })
    {
      throw cycle(path, to: registration)
    }
    if let choice = try choice(of: cell, in: given) { return choice.explanation() }
    let element = Explanation.Element(
      id: Fallback.id, verdict: .selected, rank: 1, module: registration.location.module)
    return Explanation(
      subject: typeName(registration.key.type), context: given.map { typeName($0.type) } ?? "any context",
      elements: [element], decorators: registration.decorators)
  }

  /// Finds an object that stays the same during a choice and during the choices that its rules request.
  package func steady<Object: AnyObject & Sendable>(
    _ find: () throws(InjectorError) -> Object
  ) throws(InjectorError) -> Object {
    // Optional chaining within the access would allocate memory.
    let evaluation = ThreadStack.current.with { $0.own.evaluation }
    for known in evaluation?.steady ?? [] where known.injector == number {
      if let object = known.object as? Object { return object }
    }
    let object = try find()
    ThreadStack.current.with { [number] stack in stack.noted?.steady.append((number, object)) }
    return object
  }
}

extension ResolutionStack {
  /// What has been noted in the evaluation of a choice's rules.
  final class Evaluation {
    /// The cycle or the lack of stack that left a rule undecided.
    var interruption: InjectorError?
    /// The selections that rules have found in the current context.
    var winners: Winners = []
    /// The objects that stay the same until the outermost choice ends, with the numbers of their injectors.
    var steady: [(injector: UInt, object: any AnyObject & Sendable)] = []
    /// Whether the next choice is made in the current context, too.
    var keepsContext = false
  }

  /// The notes of the evaluation that is under way, which are made if there are none; `nil` outside of one.
  var noted: Evaluation? {
    if own.evaluation == nil, own.evaluations > 0 { own.evaluation = Evaluation() }
    return own.evaluation
  }

  /// - Returns: The evaluation around this one.
  @inline(__always) func beginEvaluating(
    _ registration: Registration, for injector: Injector
  ) throws(InjectorError) -> Evaluation? {
    if frame(making: registration, for: injector) != nil { throw injector.cycle(path, to: registration) }
    try enter(registration, for: injector)
    own.evaluations += 1
    guard let outer = own.evaluation else { return nil }
    let inner = Evaluation()
    inner.steady = outer.steady
    if outer.keepsContext { inner.winners = outer.winners }
    own.evaluation = inner
    return outer
  }

  /// - Returns: The cycle or the lack of stack that left a rule undecided.
  @inline(__always) func endEvaluating(_ outer: Evaluation?) throws(InjectorError) -> InjectorError? {
    own.evaluations -= 1
    guard let inner = own.evaluation else {
      try leave()
      return nil
    }
    own.evaluation = outer
    if own.evaluations > 0 {
      noted?.steady = inner.steady
      if outer?.keepsContext == true { outer?.winners = inner.winners }
    }
    try leave()
    return inner.interruption
  }

  /// Evaluates a rule in another context than the choice's.
  static func lookingAtOther<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = ThreadStack.current.with { stack in
      defer { stack.own.evaluation?.winners = [] }
      return stack.own.evaluation?.winners ?? []
    }
    defer { ThreadStack.current.with { $0.own.evaluation?.winners = outer } }
    return try body()
  }

  /// Notes the cycle or the lack of stack that left a rule undecided. A choice that finds no candidate throws it.
  static func noteInterruption(_ error: any Error) {
    guard let error = error as? InjectorError else { return }
    switch error {
    case .circularDependency, .depthExceeded: ThreadStack.current.with { $0.noted?.interruption = error }
    default: break
    }
  }
}
