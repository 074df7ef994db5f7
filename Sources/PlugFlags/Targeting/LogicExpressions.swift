/// `if` and `?:`: the value that follows the first true condition, or else the last value.
final class ConditionExpression: Expression {
  let operation: Operator

  /// The first branch, in fields that are read faster than the array of operands.
  private let condition: any Expression
  private let result: any Expression

  /// Alternating conditions and results, at least one of each, and optionally a last result.
  private let operands: [any Expression]
  var name: String { operation.rawValue }

  init(_ operation: Operator, _ operands: [any Expression]) {
    (self.operation, self.operands, condition, result) = (operation, operands, operands[0], operands[1])
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    if try condition.value(in: context, &state).isTruthy { return try result.value(in: context, &state) }
    var place = 2
    while place + 1 < operands.count {
      if try operands[place].value(in: context, &state).isTruthy {
        return try operands[place + 1].value(in: context, &state)
      }
      place += 2
    }
    return place < operands.count ? try operands[place].value(in: context, &state) : .null
  }
}

/// `and` and `or`: the operand that decides the result.
///
/// More than two operands form a balanced tree of pairs: reading operands in fields takes no reference counting, unlike
/// reading them from an array.
final class LogicExpression: Expression {
  let operation: Operator

  /// Whether the expression is a pair within another one, whose explanation lists all operands as its own.
  let isPart: Bool

  private let left: any Expression
  private let right: any Expression

  /// Whether the first true operand decides, or the first false one.
  private let deciding: Bool
  var name: String { operation.rawValue }

  /// - Parameter operands: At least two operands.
  init(_ operation: Operator, _ operands: ArraySlice<any Expression>, isPart: Bool = false) {
    (self.operation, self.isPart, deciding) = (operation, isPart, operation == .or)
    func pairs(_ part: ArraySlice<any Expression>) -> any Expression {
      part.count == 1 ? part[part.startIndex] : LogicExpression(operation, part, isPart: true)
    }
    let half = operands.count / 2
    left = pairs(operands.prefix(half))
    right = pairs(operands.dropFirst(half))
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let value = try left.value(in: context, &state)
    return value.isTruthy == deciding ? value : try right.value(in: context, &state)
  }
}
