import Foundation

/// `+`, `-`, `*`, `/` and `%`.
final class ArithmeticExpression: Expression {
  enum Operation {
    case add, subtract, multiply, divide, remainder
  }

  let name: String
  private let operation: Operation
  private let operands: [any Expression]
  let size: Int

  init(_ name: String, _ operation: Operation, _ operands: [any Expression]) {
    (self.name, self.operation, self.operands) = (name, operation, operands)
    size = operands.size
  }

  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    switch operation {
    case .add:
      var sum = 0.0
      for operand in operands { sum += try operand.readValue(in: context, &state).asLeadingNumber }
      return .number(sum)
    case .multiply: return try product(in: context, &state)
    case .subtract where operands.count == 1: return .number(-(try operands[0].readValue(in: context, &state).asNumber))
    case .subtract, .divide, .remainder:
      // A missing operand is undefined in JavaScript, which is no number.
      guard operands.count >= 2 else { return .number(.nan) }
      let left = try operands[0].readValue(in: context, &state).asNumber
      let right = try operands[1].readValue(in: context, &state).asNumber
      return .number(combined(left, right))
    }
  }

  /// One operand is its own product, and stays what it is. None have no product: JavaScript's implementation throws.
  private func product<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    guard let first = operands.first else { return .null }
    let value = try first.readValue(in: context, &state)
    if operands.count == 1 { return value }
    var product = value.asLeadingNumber
    for operand in operands.dropFirst() { product *= try operand.readValue(in: context, &state).asLeadingNumber }
    return .number(product)
  }

  private func combined(_ left: Double, _ right: Double) -> Double {
    switch operation {
    case .divide: left / right
    case .remainder: left.truncatingRemainder(dividingBy: right)
    case .add, .subtract, .multiply: left - right
    }
  }
}

/// `max` and `min`.
final class ExtremeExpression: Expression {
  let name: String
  private let operands: [any Expression]
  private let isMaximum: Bool
  let size: Int

  init(_ name: String, _ operands: [any Expression], isMaximum: Bool) {
    (self.name, self.operands, self.isMaximum) = (name, operands, isMaximum)
    size = operands.size
  }

  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    var extreme = isMaximum ? -Double.infinity : .infinity
    for operand in operands {
      let number = try operand.readValue(in: context, &state).asNumber
      if number.isNaN || extreme.isNaN {
        extreme = .nan
      } else {
        extreme = isMaximum ? max(extreme, number) : min(extreme, number)
      }
    }
    return .number(extreme)
  }
}
