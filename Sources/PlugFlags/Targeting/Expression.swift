/// A compiled part of a targeting.
///
/// An expression is an object with its operands in fields, so that evaluating it looks nothing up and copies no tree.
protocol Expression: AnyObject, Sendable {
  /// What it is called in an explanation: the operator as the document has it.
  var name: String { get }

  /// How many expressions it consists of.
  var size: Int { get }

  /// Evaluates the expression. Operands are evaluated with ``value(in:_:)``.
  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue
}

extension Expression {
  /// Evaluates the expression, and records it if an explanation is wanted.
  @inline(__always)
  func value<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    if state.recorder == nil { return try evaluate(in: context, &state) }
    return try recordedValue(in: context, &state)
  }

  /// Evaluates the expression, and charges what it takes to read its whole value.
  @inline(__always)
  func readValue<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    let value = try value(in: context, &state)
    try state.charge(value)
    return value
  }

  @inline(never)
  private func recordedValue<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    guard let recorder = state.recorder, (self as? LogicExpression)?.isPart != true else {
      return try evaluate(in: context, &state)
    }
    recorder.begin()
    let result = try evaluate(in: context, &state)
    recorder.end(name, isLiteral: self is ConstantExpression, result)
    return result
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
  let constant: FlagValue
  var name: String { constant.description }
  var size: Int { 1 }

  init(_ constant: FlagValue) {
    self.constant = constant
  }

  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue { constant }
}

/// An array with elements that are expressions.
final class ArrayExpression: Expression {
  let elements: [any Expression]
  let size: Int
  var name: String { "[]" }

  init(_ elements: [any Expression]) {
    self.elements = elements
    size = elements.size
  }

  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
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

extension [any Expression] {
  /// The size of an expression with these operands.
  var size: Int { reduce(1) { $0 + $1.size } }
}
