/// A compiled part of a targeting.
///
/// An expression is an object with its operands in fields, so that evaluating it looks nothing up and copies no tree.
protocol Expression: AnyObject, Sendable {
  /// The name in an explanation: the operator as it is written in the document.
  var name: String { get }

  /// Evaluates the expression. Operands are evaluated with ``value(in:_:)``.
  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue
}

extension Expression {
  /// Evaluates the expression, charges a step if it is in a loop, and records the result for an explanation.
  @inline(__always)
  func value(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    if state.isPlain { return try evaluate(in: context, &state) }
    return try watchedValue(in: context, &state)
  }

  /// Evaluates the expression, and charges the steps to read its whole value.
  @inline(__always)
  func readValue(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let value = try value(in: context, &state)
    try state.charge(value)
    return value
  }

  /// Reads an operand that is not on a hot path, out of line.
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
  /// The value, if the expression is a constant in the document.
  var constant: FlagValue? { (self as? ConstantExpression)?.known }

  /// The elements, if the expression is an array in the document.
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

/// A constant in the document.
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

/// An array whose elements are expressions.
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
