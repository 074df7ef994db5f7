/// `if` and `?:`: the value after the first condition that is true, or else the last one.
final class ConditionExpression: Expression {
  let operation: Operator

  /// The first branch, which is read faster than the others are.
  private let condition: any Expression
  private let result: any Expression

  /// Conditions and results in turn, at least one of each, and the last result.
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

/// `and` and `or`: the operand that decides.
///
/// Many operands are a balanced tree of pairs: operands in fields are read without counting references, unlike those in
/// an array.
final class LogicExpression: Expression {
  let operation: Operator

  /// Whether it is one of the pairs of another, which is explained as if it had all operands itself.
  let isPart: Bool

  private let left: any Expression
  private let right: any Expression

  /// Which operand decides: the first that is true, or the first that is false.
  private let deciding: Bool
  var name: String { operation.rawValue }

  /// - Parameter operands: Two operands at least.
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
