/// An operation on the values of all its operands.
final class FunctionExpression: Expression {
  typealias Function = @Sendable ([FlagValue]) -> FlagValue

  let name: String
  private let operands: [any Expression]
  private let function: Function

  init(_ name: String, _ operands: Operands, _ function: @escaping Function) {
    (self.name, self.operands, self.function) = (name, operands.list, function)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    var values: [FlagValue] = []
    values.reserveCapacity(operands.count)
    for operand in operands { values.append(try operand.readValue(in: context, &state)) }
    return function(values)
  }
}

/// An operation on the values of two operands.
final class BinaryExpression: Expression {
  let name: String
  private let left: any Expression
  private let right: any Expression
  private let function: @Sendable (FlagValue, FlagValue) -> FlagValue

  init(_ name: String, _ operands: Operands, _ function: @escaping @Sendable (FlagValue, FlagValue) -> FlagValue) {
    (self.name, left, right, self.function) = (name, operands[0], operands[1], function)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let left = try left.readValue(in: context, &state)
    return function(left, try right.readValue(in: context, &state))
  }
}

/// `+`, `-`, `*`, `/`, `%`, `max`, `min` and `merge`.
enum Arithmetic {
  static func sum(_ values: [FlagValue]) -> FlagValue { .number(values.reduce(0) { $0 + $1.asLeadingNumber }) }

  /// One operand is its own product, and stays what it is. None have no product: JavaScript's implementation throws.
  static func product(_ values: [FlagValue]) -> FlagValue {
    if values.count < 2 { return values.first ?? .null }
    return .number(values.reduce(1) { $0 * $1.asLeadingNumber })
  }

  static func difference(_ values: [FlagValue]) -> FlagValue {
    values.count == 1 ? .number(-values[0].asNumber) : combination(values, -)
  }

  /// The result of two numbers. An operand that is missing is undefined in JavaScript, which is no number.
  static func combination(_ values: [FlagValue], _ combine: (Double, Double) -> Double) -> FlagValue {
    .number(values.count < 2 ? .nan : combine(values[0].asNumber, values[1].asNumber))
  }

  /// The greatest or the least number; no number if one of the values is none.
  static func extreme(_ values: [FlagValue], from first: Double, _ choose: (Double, Double) -> Double) -> FlagValue {
    let numbers = values.map(\.asNumber)
    return .number(numbers.contains(where: \.isNaN) ? .nan : numbers.reduce(first, choose))
  }

  /// Arrays and single values in one array.
  static func merge(_ values: [FlagValue]) -> FlagValue {
    .array(values.flatMap { if case .array(let elements) = $0 { elements } else { [$0] } })
  }
}
