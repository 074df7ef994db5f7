// What the rules of one choice share while they are evaluated.

extension ResolutionStack {
  /// What has been noted in the evaluation of rules, until the outermost choice ends.
  final class Evaluation {
    /// The cycle or the lack of stack that left a rule of the innermost choice undecided.
    var interruption: InjectorError?
    /// The objects that stay the same, with the numbers of their injectors.
    var steady: [(injector: UInt, object: any AnyObject & Sendable)] = []
  }

  var evaluation: Evaluation? { own.notes as? Evaluation }

  /// The notes of the evaluation that is under way, which are made if there are none; `nil` outside of one.
  var noted: Evaluation? {
    if own.notes == nil, own.choices > 0 { own.notes = Evaluation() }
    return evaluation
  }

  /// - Returns: The interruption of the choice around this one.
  @inline(__always) func beginEvaluating(
    _ registration: Registration, for injector: Injector
  ) throws -> InjectorError? {
    if frame(making: registration, for: injector) != nil { throw injector.cycle(path, to: registration) }
    try enter(registration, for: injector)
    own.choices += 1
    defer { evaluation?.interruption = nil }
    return evaluation?.interruption
  }

  /// - Returns: The cycle or the lack of stack that left a rule undecided.
  @inline(never) func endEvaluating(_ outer: InjectorError?) throws -> InjectorError? {
    own.choices -= 1
    let interruption = evaluation?.interruption
    evaluation?.interruption = outer
    if own.choices == 0 { own.notes = nil }
    try leave()
    return interruption
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

/// The candidates that rules have found in one context.
private final class FoundCandidates {
  var all: [(subject: AnyObject, injector: UInt, id: Result<String?, any Error>)] = []
}

extension ContextReference {
  /// This reference, with a place for what rules find.
  var remembering: Self { notes == nil ? Self(source, type, FoundCandidates()) : self }

  /// Finds the id of a candidate once during a choice, and during the choices in this context that its rules require.
  /// What fails is found once, too, unless a request fails: whether that is a cycle depends on the requests around it.
  ///
  /// - Parameter subject: What decides about the candidate.
  func candidate(
    by subject: AnyObject, for injector: Injector, _ find: () throws -> String?
  ) throws -> String? {
    let found = notes as? FoundCandidates
    if let known = found?.all.first(where: { $0.subject === subject && $0.injector == injector.number }) {
      return try known.id.get()
    }
    let id = Result { try find() }
    if case .failure(let error) = id, error.ofRequest != nil { throw error }
    found?.all.append((subject, injector.number, id))
    return try id.get()
  }
}

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
