/// `map`, `filter`, `all`, `none` and `some`: an expression for each element of an array.
///
/// The expression sees the element only. Any other value counts as an empty array, of which `all` is false.
final class CollectionExpression: Expression {
  enum Operation {
    case map, filter
    /// The first element for which the expression is so decides.
    case find(Bool, gives: Bool)
  }

  let name: String
  private let operation: Operation
  private let source: any Expression
  private let body: any Expression

  init(_ name: String, _ operation: Operation, source: any Expression, body: any Expression) {
    (self.name, self.operation, self.source, self.body) = (name, operation, source, body)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    var elements: [FlagValue] = []
    if case .array(let array) = try source.value(in: context, &state) { elements = array }
    let outer = state.scope
    defer { state.scope = outer }
    var results: [FlagValue] = []
    for element in elements {
      state.scope = .element(element)
      let result = try body.value(in: context, &state)
      switch operation {
      case .map: results.append(result)
      case .filter: if result.isTruthy { results.append(element) }
      case .find(let wanted, let found): if result.isTruthy == wanted { return .bool(found) }
      }
    }
    switch operation {
    case .map, .filter: return .array(results)
    case .find(let wanted, let found): return .bool(!found && (wanted || !elements.isEmpty))
    }
  }
}

/// `reduce`: one value from all elements of an array, with `current` and `accumulator`.
///
/// The result for any other value than an array is the initial value. The initial value is an expression, as in Go's
/// implementation and in newer ones for JavaScript.
final class ReductionExpression: Expression {
  private let source: any Expression
  private let body: any Expression
  private let initial: any Expression
  var name: String { "reduce" }

  init(source: any Expression, body: any Expression, initial: any Expression) {
    (self.source, self.body, self.initial) = (source, body, initial)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let source = try source.value(in: context, &state)
    var accumulator = try initial.value(in: context, &state)
    guard case .array(let elements) = source else { return accumulator }
    let outer = state.scope
    defer { state.scope = outer }
    for element in elements {
      state.scope = .reduction(current: element, accumulator: accumulator)
      accumulator = try body.value(in: context, &state)
    }
    return accumulator
  }
}
