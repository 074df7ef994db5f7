extension FunctionExpression {
  /// `map`, `filter`, `all`, `none`, `some` and `reduce`: an expression for each element of an array.
  ///
  /// The expression sees the element only, and `reduce` gives it the element as `current` with the `accumulator`, which
  /// begins with the value of an expression, as in Go's implementation and in newer ones for JavaScript. A value
  /// that is no array counts as an empty one, of which `all` is false.
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

  /// `missing` and `missing_some`: which of some paths lead to nothing.
  ///
  /// Null is missing, and an empty string is not: so it is in the implementations in Go and Java, while JavaScript's
  /// takes an empty string as missing as well.
  func missing(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    // `missing_some` begins with how many of them have to be there.
    let needed = operation == .missing ? nil : try first.read(in: context, &state).asNumber
    var wanted: [FlagValue] = []
    for path in operation == .missing ? operands : [second] { wanted.append(try path.read(in: context, &state)) }
    // An array in the place of the first path has all of them.
    wanted = wanted.first?.elements ?? wanted
    let missing = wanted.filter { VariablePath($0).value(in: context, &state)?.isNull ?? true }
    if let needed, Double(wanted.count - missing.count) >= needed { return .array([]) }
    return .array(missing)
  }
}
