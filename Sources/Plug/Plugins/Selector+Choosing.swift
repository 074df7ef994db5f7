extension Selector {
  /// Chooses, one level deeper, so that a rule that asks for what it selects is found.
  ///
  /// - Parameter isLimited: Whether the first candidate is enough.
  func choose(
    in context: ContextReference, for injector: Injector, _ registration: Registration, isLimited: Bool
  ) throws(InjectorError) -> [Cell] {
    let order = order
    let (chosen, interruption) = try evaluating(registration, for: injector) { () -> [Int] in
      var choosing = Choosing(order, context, injector)
      return isLimited ? choosing.first().map { [$0] } ?? [] : choosing.applying()
    }
    if chosen.isEmpty, let interruption { throw interruption }
    return chosen.map { order.entries[$0].cell }
  }

  /// Evaluates rules on a level of their own.
  ///
  /// - Returns: What the body returns, and the circle that kept a rule from being decided.
  func evaluating<Result>(
    _ registration: Registration, for injector: Injector, _ body: () -> Result
  ) throws(InjectorError) -> (Result, InjectorError?) {
    try Level.current.with { (stack) throws(InjectorError) in
      let outer = try stack.beginEvaluating(registration, for: injector)
      let result = body()
      return (result, try stack.endEvaluating(outer))
    }
  }

  /// Lends the context that an injector chooses in: the given one, or the injector for candidates that look at that; if
  /// none is given, the one that the injector has.
  ///
  /// - Parameter looksAtInjectors: Whether rules that look at injectors may look at this one in place of what is given.
  func withContext<Result>(
    _ given: ContextReference?, of injector: Injector, _ registration: Registration, looksAtInjectors: Bool = false,
    _ body: (ContextReference) throws(InjectorError) -> Result
  ) throws(InjectorError) -> Result {
    if let given {
      if contextType == given.type { return try body(given) }
      guard looksAtInjectors ? contextType == Injector.self : isContextFree else {
        throw injector.contextMismatch(registration, expected: contextType, found: given.type)
      }
    }
    if contextType == Injector.self { return try ContextReference.with(injector, body) }
    // A context that needs the service itself is a circle through it.
    let level = try injector.begin(registration)
    let box: AnyBox?
    do throws(InjectorError) {
      box = try injector.foundIfRegistered(Key(contextType))
    } catch {
      throw injector.fail(error, registration, level)
    }
    try injector.end(level)
    guard let box else { throw injector.contextMissing(registration, contextType) }
    return try box.lend(as: contextType, body)
  }
}

extension ResolutionStack {
  /// What a level around the evaluation of rules knows.
  struct Evaluation {
    let interruption: InjectorError?
    /// `nil` if the evaluation looks at the context of that level.
    let winners: Winners?
    let isOutermost: Bool
  }

  fileprivate func beginEvaluating(
    _ registration: Registration, for injector: Injector
  ) throws(InjectorError) -> Evaluation {
    if isMaking(registration, for: injector) { throw injector.circle(path, to: registration) }
    try enter(registration, for: injector)
    let outer = Evaluation(
      interruption: own.interruption, winners: own.keepsContext ? nil : own.winners, isOutermost: own.steady == nil)
    if outer.isOutermost { own.steady = [] }
    (own.interruption, own.keepsContext) = (nil, false)
    if outer.winners != nil { own.winners = Winners() }
    return outer
  }

  /// - Returns: The circle that kept a rule from being decided.
  fileprivate func endEvaluating(_ outer: Evaluation) throws(InjectorError) -> InjectorError? {
    let interruption = own.interruption
    own.interruption = outer.interruption
    if let winners = outer.winners { own.winners = winners }
    if outer.isOutermost { (own.steady, own.winners) = (nil, Winners()) }
    try leave()
    return interruption
  }

  /// Evaluates a rule of another context than the choice is made in.
  static func lookingAtOther<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = Level.current.with { stack in
      defer { stack.own.winners = Winners() }
      return stack.own.winners
    }
    defer { Level.current.with { $0.own.winners = outer } }
    return try body()
  }

  /// A rule could not be decided. A circle or a lack of stack is the error of a choice that finds nothing else.
  static func noteInterruption(_ error: any Error) {
    guard let error = error as? InjectorError else { return }
    switch error {
    case .circularDependency, .depthExceeded: Level.current.with { $0.own.interruption = error }
    default: break
    }
  }
}

extension Selector {
  /// What is chosen, without making it; `nil` if no candidate applies.
  package func winner(
    in context: ContextReference, for injector: Injector, _ registration: Registration
  ) throws(InjectorError) -> Cell? {
    guard var choice = Choice(self, registration, in: context, for: injector) else {
      return try choose(in: context, for: injector, registration, isLimited: true).first
    }
    choice.passUntried()
    return try choice.next(for: injector) ? choice.candidates.entries[choice.place].cell : nil
  }
}

extension AnyBox {
  /// Lends a context to a closure.
  fileprivate func lend<Result>(
    as type: any Any.Type, _ body: (ContextReference) throws(InjectorError) -> Result
  ) throws(InjectorError) -> Result {
    func lend<Context>(_ type: Context.Type) throws(InjectorError) -> Result {
      try ContextReference.with(open(as: type), body)
    }
    return try lend(type)
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

  /// Gets the winner in a context; if none is given, in the one that this injector has.
  func chosenBox(of cell: Cell, in given: ContextReference? = nil) throws(InjectorError) -> AnyBox {
    guard let selector = cell.selector else { return try provide(cell) }
    return try selector.withContext(given, of: self, cell.registration) { (context) throws(InjectorError) in
      if let box = try firstBox(of: cell, selector, in: context) { return box }
      throw selector.failure(in: context, for: self, cell.registration)
    }
  }

  /// Gets the winner; `nil` if no candidate applies.
  func firstBox(of cell: Cell, in given: ContextReference? = nil) throws(InjectorError) -> AnyBox? {
    guard let selector = cell.selector else { return try provide(cell) }
    return try selector.withContext(given, of: self, cell.registration) { (context) throws(InjectorError) in
      try firstBox(of: cell, selector, in: context)
    }
  }

  private func firstBox(
    of cell: Cell, _ selector: Selector, in context: ContextReference
  ) throws(InjectorError) -> AnyBox? {
    try refuseCapture(of: cell)
    return try firstBox(of: selector, cell.registration, in: context) { (cell) throws(InjectorError) in
      try provideUnlessGone(cell)
    }
  }

  /// Makes the first candidate that applies and can be made.
  ///
  /// - Parameter provide: Returns `nil` if the candidate has been unregistered.
  func firstBox(
    of selector: Selector, _ registration: Registration, in context: ContextReference,
    _ provide: (Cell) throws(InjectorError) -> AnyBox?
  ) throws(InjectorError) -> AnyBox? {
    if let choice = Choice(selector, registration, in: context, for: self) {
      return try firstBox(choice, provide)
    }
    for isLimited in [true, false] {
      let chosen = try selector.choose(in: context, for: self, registration, isLimited: isLimited)
      for cell in chosen { if let box = try provide(cell) { return box } }
      if chosen.isEmpty { break }
    }
    return nil
  }

  /// The id of the candidate that wins in a context, or in the one that this injector has; `nil` if none applies.
  package func winner(of key: Key, in context: ContextReference?) throws(InjectorError) -> String? {
    guard let cell = try find(key) else { throw absence(of: key) }
    guard let selector = cell.selector else { return Fallback.id }
    let chosen = try selector.withContext(context, of: self, cell.registration) { (context) throws(InjectorError) in
      try selector.winner(in: context, for: self, cell.registration)
    }
    return chosen.map { $0.registration.candidate ?? Fallback.id }
  }

  /// Gets all that apply in a context, with their ids.
  @usableFromInline
  func boxes(
    for key: Key, in context: ContextReference, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) -> [(id: String, box: AnyBox)]? {
    if let other = redirected(fileID, line) { return try other.boxes(for: key, in: context) }
    let request = Request(key, isOptional: true, givesContext: true)
    return try Layers.answering(request, by: self) { () throws(InjectorError) in try all(key, in: context) }
  }

  func all(_ key: Key, in context: ContextReference) throws(InjectorError) -> [(id: String, box: AnyBox)]? {
    guard let cell = try find(key) else { return nil }
    return try boxes(of: cell, in: context)
  }

  /// Gets all that apply of what a cell stands for.
  ///
  /// - Parameter isShadowed: Whether it is asked for though this injector has registered the service itself.
  func boxes(
    of cell: Cell, in given: ContextReference? = nil, isShadowed: Bool = false
  ) throws(InjectorError) -> [(id: String, box: AnyBox)] {
    guard let selector = cell.selector else { return [(Fallback.id, try provide(cell, isShadowed: isShadowed))] }
    return try selector.withContext(given, of: self, cell.registration) { (context) throws(InjectorError) in
      try refuseCapture(of: cell)
      return try boxes(of: selector, cell.registration, in: context) { (cell) throws(InjectorError) in
        try provideUnlessGone(cell)
      }
    }
  }

  /// Makes all candidates that apply and can be made.
  func boxes(
    of selector: Selector, _ registration: Registration, in context: ContextReference,
    _ provide: (Cell) throws(InjectorError) -> AnyBox?
  ) throws(InjectorError) -> [(id: String, box: AnyBox)] {
    if let choice = Choice(selector, registration, in: context, for: self) {
      return try boxes(choice, provide)
    }
    var boxes: [(id: String, box: AnyBox)] = []
    for cell in try selector.choose(in: context, for: self, registration, isLimited: false) {
      if let box = try provide(cell) { boxes.append((cell.registration.candidate ?? Fallback.id, box)) }
    }
    return boxes
  }

  /// Makes a candidate.
  ///
  /// - Returns: `nil` if it has been unregistered.
  private func provideUnlessGone(_ candidate: Cell) throws(InjectorError) -> AnyBox? {
    if candidate.registration.depth == 0, let box = candidate.published.box { return box }
    if candidate.claim.withLock({ $0.isGone }) { return nil }
    do throws(InjectorError) {
      return try provide(candidate)
    } catch {
      if case .notRegistered = error, candidate.claim.withLock({ $0.isGone }) { return nil }
      throw error
    }
  }

  private func refuseCapture(of choice: Cell) throws(InjectorError) {
    let registration = choice.registration
    if registration.depth == 0 { return }
    try Level.current.with { (stack) throws(InjectorError) in
      try refuseCapture(of: registration, in: level(at: registration.depth), stack)
    }
  }

  @inline(never)
  fileprivate func contextMissing(_ registration: Registration, _ context: any Any.Type) -> InjectorError {
    let facts = InjectorError.Facts(registration, in: self, after: Level.current.with { $0.path })
    return .contextMissing(facts, context: typeName(context))
  }

  @inline(never)
  func contextMismatch(
    _ registration: Registration, expected: any Any.Type, found: any Any.Type
  ) -> InjectorError {
    let facts = InjectorError.Facts(registration, in: self, after: Level.current.with { $0.path })
    return .contextMismatch(facts, expected: typeName(expected), found: typeName(found))
  }
}

extension Injector {
  /// Finds an object that stays the same for the whole of a choice, and for the choices that its rules ask for.
  package func steady<Object: AnyObject & Sendable>(
    _ find: () throws(InjectorError) -> Object
  ) throws(InjectorError) -> Object {
    for known in Level.current.with({ $0.own.steady }) ?? [] where known.injector == number {
      if let object = known.object as? Object { return object }
    }
    let object = try find()
    Level.current.with { [number] stack in stack.own.steady?.append((number, object)) }
    return object
  }
}
