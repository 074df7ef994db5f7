/// `if` and `?:`: the value after the first condition that is true, or else the last one.
final class ConditionExpression: Expression {
  let name: String

  /// The first branch, which is read faster than the others are.
  private let condition: any Expression
  private let result: any Expression
  private let others: [(condition: any Expression, result: any Expression)]
  private let otherwise: (any Expression)?

  /// - Parameter operands: Conditions and results in turn, at least one of each, and the last result.
  init(_ name: String, _ operands: [any Expression]) {
    self.name = name
    (condition, result) = (operands[0], operands[1])
    others = stride(from: 2, to: operands.count - 1, by: 2).map { (operands[$0], operands[$0 + 1]) }
    otherwise = operands.count.isMultiple(of: 2) ? nil : operands.last
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    if try condition.value(in: context, &state).isTruthy { return try result.value(in: context, &state) }
    for index in others.indices where try others[index].condition.value(in: context, &state).isTruthy {
      return try others[index].result.value(in: context, &state)
    }
    return try otherwise?.value(in: context, &state) ?? .null
  }
}

/// `and` and `or`: the operand that decides.
///
/// Many operands are a balanced tree of pairs: operands in fields are read without counting references, unlike those in
/// an array.
final class LogicExpression: Expression {
  let name: String

  /// Whether it is one of the pairs of another, which is explained as if it had all operands itself.
  let isPart: Bool

  private let left: any Expression
  private let right: any Expression
  private let deciding: Bool

  /// - Parameters:
  ///   - operands: Two operands at least.
  ///   - deciding: Which operand decides: the first that is true, or the first that is false.
  init(_ name: String, _ operands: some Collection<any Expression>, deciding: Bool, isPart: Bool = false) {
    (self.name, self.deciding, self.isPart) = (name, deciding, isPart)
    func pairs(_ part: some Collection<any Expression>) -> any Expression {
      guard part.count == 1, let only = part.first else {
        return LogicExpression(name, Array(part), deciding: deciding, isPart: true)
      }
      return only
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

/// `!` and `!!`.
final class TruthExpression: Expression {
  let name: String
  private let operand: any Expression
  private let wanted: Bool

  init(_ name: String, _ operand: any Expression, wanted: Bool) {
    (self.name, self.operand, self.wanted) = (name, operand, wanted)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    .bool(try operand.value(in: context, &state).isTruthy == wanted)
  }
}
