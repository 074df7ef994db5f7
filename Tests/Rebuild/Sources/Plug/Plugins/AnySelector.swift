/// What chooses among the candidates of one cell, for code that does not know the context.
///
/// Soundness of the unchecked conformance: this class has no content, and its subclass guards its own.
package class AnySelector: @unchecked Sendable {
  /// The type of the values that rules look at.
  package var contextType: any Any.Type { Injector.self }

  /// The cells of the candidates, in the order in which they are chosen.
  package var cells: [Cell] { [] }

  /// The candidate that is chosen last: a registration without a rule.
  var fallback: Cell? { nil }

  /// Whether all candidates are contributions, which no context is needed for.
  var isContextFree: Bool { false }

  /// Whether there is nothing besides the fallback.
  var isEmpty: Bool { true }

  /// Where the point was declared that is registered as a whole.
  var pointLocation: CodeLocation? { nil }

  /// The ids by which rules ask for what is selected here.
  var pointIDs: [String] { [] }

  /// Of each candidate, whether it always applies or never; `nil` if that depends on the context.
  var constants: [Bool?] { [] }

  /// Of each candidate with a weight, its priority, which it shares with those among which one is drawn.
  var rivals: [Int?] { [] }

  /// How `after` and `before` have put the candidates in order.
  var sort: CandidateSort? { nil }

  /// What rules ask of other points.
  var prerequisites: [Prerequisite] { [] }

  /// Where the candidate with an id was declared.
  func location(of candidate: String) -> CodeLocation? { nil }

  /// A selector of these candidates without their instances.
  var renewed: AnySelector { mapping { $0.registration } }

  /// A selector of other candidates in the places of these.
  func mapping(_ change: (Cell) -> Registration) -> AnySelector { self }

  /// A selector of these candidates for another context, if they need none.
  func rebased<Other: Sendable>(to context: Other.Type) -> Selector<Other>? { nil }

  /// Adds a contribution.
  func add(_ contribution: Contribution) {}

  /// A context in its box.
  func opened(_ box: AnyBox) -> any Sendable { 0 }

  /// Replaces the fallback.
  func setFallback(_ cell: Cell?) {}

  /// Removes a candidate.
  func remove(_ id: String) -> Cell? { nil }

  /// The cells of the candidates that apply in a context, of which there are at most a limit.
  func chosen(
    in context: any Sendable, for injector: Injector, _ registration: Registration, limit: Int
  ) throws(InjectorError) -> [Cell] { [] }

  func explanation(in context: any Sendable, for injector: Injector, _ registration: Registration) -> Explanation? { nil }

  func error(in context: any Sendable, for injector: Injector, _ registration: Registration) -> InjectorError {
    injector.absence(of: registration.key)
  }
}

/// A candidate that applies in every context.
struct Contribution {
  let cell: Cell
  let priority: Int
}

extension AnySelector {
  /// The context in which an injector chooses if none is given.
  func context(in injector: Injector, _ registration: Registration) throws(InjectorError) -> any Sendable {
    if contextType == Injector.self { return injector }
    if let box = try injector.boxIfRegistered(for: Key(contextType)) { return opened(box) }
    let facts = InjectorError.Facts(registration, in: injector, after: Level.current.with { $0.path })
    throw .contextMissing(facts, context: typeName(contextType))
  }
}

