/// A compiled part of a targeting.
///
/// An expression is an object with its operands in fields, so that evaluating it looks nothing up and copies no tree.
protocol Expression: AnyObject, Sendable {
  /// What it is called in an explanation: the operator as the document has it.
  var name: String { get }

  /// Evaluates the expression. Operands are evaluated with ``value(in:_:)``.
  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue
}

extension Expression {
  /// Evaluates the expression, charges that in a loop, and records it if an explanation is wanted.
  @inline(__always)
  func value(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    if state.isPlain { return try evaluate(in: context, &state) }
    return try watchedValue(in: context, &state)
  }

  /// Evaluates the expression, and charges what it takes to read its whole value.
  @inline(__always)
  func readValue(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let value = try value(in: context, &state)
    try state.charge(value)
    return value
  }

  /// Reads an operand that is read less often than others, out of line.
  @inline(never)
  func read(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    try readValue(in: context, &state)
  }

  @inline(never)
  private func watchedValue<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    if state.isInLoop { try state.charge(1) }
    guard let recorder = state.recorder, (self as? LogicExpression)?.isPart != true else {
      return try evaluate(in: context, &state)
    }
    recorder.begin()
    let result = try evaluate(in: context, &state)
    recorder.end(name, isLiteral: self is ConstantExpression, result)
    return result
  }
}

extension Expression {
  /// The value, if the document contains it.
  var constant: FlagValue? { (self as? ConstantExpression)?.known }

  /// The elements, if it is an array as the document has it.
  var arrayElements: [any Expression]? {
    constant?.elements?.map(ConstantExpression.init) ?? (self as? ArrayExpression)?.elements
  }
}

/// The reason why a targeting has no result.
enum EvaluationFailure: Error {
  case tooManySteps
  case tooDeep

  var message: String {
    switch self {
    case .tooManySteps:
      "the targeting takes more than \(EvaluationState.stepLimit) steps; its lists are too long, or too deeply nested"
    case .tooDeep: "the targeting makes a value that is nested deeper than \(JSONReader.depthLimit) levels"
    }
  }
}

/// A value that the document contains.
final class ConstantExpression: Expression {
  let known: FlagValue
  var name: String { known.description }

  init(_ known: FlagValue) {
    self.known = known
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    known
  }
}

/// An array with elements that are expressions.
final class ArrayExpression: Expression {
  let elements: [any Expression]
  var name: String { "[]" }

  init(_ elements: [any Expression]) {
    self.elements = elements
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    var values: [FlagValue] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      let value = try element.value(in: context, &state)
      try state.checkDepth(of: value, limit: JSONReader.depthLimit - 1)
      values.append(value)
    }
    return .array(values)
  }
}
