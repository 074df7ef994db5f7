// What the rules of one choice share while they are evaluated.

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

  var evaluation: Evaluation? { own.notes as? Evaluation }

  /// The notes of the evaluation that is under way, which are made if there are none; `nil` outside of one.
  var noted: Evaluation? {
    if own.notes == nil, own.choices > 0 { own.notes = Evaluation() }
    return evaluation
  }

  /// - Returns: The evaluation around this one.
  @inline(__always) func beginEvaluating(
    _ registration: Registration, for injector: Injector
  ) throws -> Evaluation? {
    if frame(making: registration, for: injector) != nil { throw injector.cycle(path, to: registration) }
    try enter(registration, for: injector)
    own.choices += 1
    guard let outer = evaluation else { return nil }
    let inner = Evaluation()
    inner.steady = outer.steady
    if outer.keepsContext { inner.winners = outer.winners }
    own.notes = inner
    return outer
  }

  /// - Returns: The cycle or the lack of stack that left a rule undecided.
  @inline(never) func endEvaluating(_ outer: Evaluation?) throws -> InjectorError? {
    own.choices -= 1
    guard let inner = evaluation else {
      try leave()
      return nil
    }
    own.notes = outer
    if own.choices > 0 {
      noted?.steady = inner.steady
      if outer?.keepsContext == true { outer?.winners = inner.winners }
    }
    try leave()
    return inner.interruption
  }

  /// Evaluates a rule in another context than the choice's.
  static func lookingAtOther<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = ThreadStack.current.with { stack in
      defer { stack.evaluation?.winners = [] }
      return stack.evaluation?.winners ?? []
    }
    defer { ThreadStack.current.with { $0.evaluation?.winners = outer } }
    return try body()
  }

  /// Notes the cycle or the lack of stack that left a rule undecided. A choice that finds no candidate throws it.
  static func noteInterruption(_ error: any Error) {
    guard let error = error.ofRequest.map(InjectorError.init) else { return }
    switch error {
    case .circularDependency, .depthExceeded: ThreadStack.current.with { $0.noted?.interruption = error }
    default: break
    }
  }
}

/// The selections that rules have found in one context.
typealias Winners = [(registration: Registration, injector: UInt, id: String?)]

extension Injector {
  /// Finds an object that stays the same during a choice and during the choices that its rules request.
  package func steady<Object: AnyObject & Sendable>(
    _ find: () throws(InjectorError) -> Object
  ) throws(InjectorError) -> Object {
    // Optional chaining within the access would allocate memory.
    let evaluation = ThreadStack.current.with { $0.evaluation }
    for known in evaluation?.steady ?? [] where known.injector == number {
      if let object = known.object as? Object { return object }
    }
    let object = try find()
    ThreadStack.current.with { [number] stack in stack.noted?.steady.append((number, object)) }
    return object
  }
}
