extension FunctionExpression {
  /// `map`, `filter`, `all`, `none`, `some` and `reduce`: evaluates an expression for each element of an array.
  ///
  /// The expression sees the element only. In `reduce`, it sees the element as `current`, and the `accumulator`, whose
  /// initial value is an expression, as in Go's implementation and in newer ones for JavaScript. A value that is not an
  /// array is treated as an empty one, for which `all` is false.
  func collection(
    in context: some FlagContext, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    let elements = try first.value(in: context, &state).elements ?? []
    var accumulator = operation == .reduce ? try operands[2].value(in: context, &state) : .null
    let outer = state.scope
    defer { state.enter(outer) }
    let (body, operation) = (second, operation)
    var results: [FlagValue] = []
    for element in elements {
      state.enter(operation == .reduce ? .reduction(current: element, accumulator: accumulator) : .element(element))
      let result = try body.value(in: context, &state)
      switch operation {
      case .reduce: accumulator = result
      case .map: results.append(result)
      case .filter: if result.isTruthy { results.append(element) }
      case .allElements: if !result.isTruthy { return false }
      default: if result.isTruthy { return .bool(operation == .anyElement) }
      }
    }
    switch operation {
    case .map, .filter: return .array(results)
    case .allElements: return .bool(!elements.isEmpty)
    case .reduce: return accumulator
    default: return .bool(operation == .noElement)
    }
  }

  /// `missing` and `missing_some`: returns the paths that lead to no value.
  ///
  /// Null is missing, and an empty string is not, as in the implementations in Go and Java. In JavaScript's, an empty
  /// string is missing, too.
  func missing(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    // The first operand of `missing_some` is the number of paths that have to lead to a value.
    let needed = operation == .missing ? nil : try first.read(in: context, &state).asNumber
    var wanted: [FlagValue] = []
    for path in operation == .missing ? operands : [second] { wanted.append(try path.read(in: context, &state)) }
    // If the first path is an array, it contains all paths.
    wanted = wanted.first?.elements ?? wanted
    let missing = wanted.filter { VariablePath($0).value(in: context, &state)?.isNull ?? true }
    if let needed, Double(wanted.count - missing.count) >= needed { return .array([]) }
    return .array(missing)
  }
}
