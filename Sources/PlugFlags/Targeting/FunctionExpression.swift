/// An operation on any number of operands. The first two are also in fields, which are read faster than the array.
final class FunctionExpression: Expression {
  let operation: Operator
  let first: any Expression
  let second: any Expression
  let operands: [any Expression]
  var name: String { operation.rawValue }

  init(_ operation: Operator, _ first: any Expression, _ second: any Expression, _ operands: [any Expression]) {
    (self.operation, self.first, self.second, self.operands) = (operation, first, second, operands)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    switch operation {
    case .not: return .bool(!(try first.value(in: context, &state).isTruthy))
    case .truth: return .bool(try first.value(in: context, &state).isTruthy)
    case .map, .filter, .allElements, .noElement, .anyElement, .reduce: return try collection(in: context, &state)
    case .missing, .missingSome: return try missing(in: context, &state)
    case .concatenation: return try concatenation(in: context, &state)
    default: break
    }
    var values: [FlagValue] = []
    values.reserveCapacity(operands.count)
    for operand in operands { values.append(try operand.read(in: context, &state)) }
    return operation.result(of: values)
  }

  /// The strings of the operands one after another, with numbers as JavaScript writes them.
  private func concatenation(
    in context: some FlagContext, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    var text = ""
    for operand in operands { text += try operand.read(in: context, &state).asElementText }
    return .string(text)
  }
}

/// An operation on the values of two operands.
final class BinaryExpression: Expression {
  let operation: Operator
  private let left: any Expression
  private let right: any Expression
  var name: String { operation.rawValue }

  init(_ operation: Operator, _ left: any Expression, _ right: any Expression) {
    (self.operation, self.left, self.right) = (operation, left, right)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let left = try left.readValue(in: context, &state)
    return operation.result(of: left, try right.readValue(in: context, &state))
  }
}

extension Operator {
  /// The result of a comparison of two values.
  func result(of left: FlagValue, _ right: FlagValue) -> FlagValue {
    switch self {
    case .equal: return .bool(FlagValue.isEqual(left, right))
    case .unequal: return .bool(!FlagValue.isEqual(left, right))
    case .identical: return .bool(FlagValue.isIdentical(left, right))
    case .different: return .bool(!FlagValue.isIdentical(left, right))
    case .prefix, .suffix:
      // Null unless both operands are strings.
      guard case .string(let text) = left, case .string(let affix) = right else { return .null }
      return .bool(self == .prefix ? text.hasBytePrefix(affix) : text.hasByteSuffix(affix))
    default: return .bool(isOrdered(left, right))
    }
  }

  /// `<`, `<=`, `>` or `>=` of two values.
  private func isOrdered(_ left: FlagValue, _ right: FlagValue) -> Bool {
    guard let order = FlagValue.order(left, right) else { return false }
    switch self {
    case .less: return order < 0
    case .atMost: return order <= 0
    case .greater: return order > 0
    default: return order >= 0
    }
  }

  /// The result of an operation on any number of values.
  func result(of values: [FlagValue]) -> FlagValue {
    switch self {
    case .log: return values.first ?? .null
    case .sum: return .number(values.reduce(0) { $0 + $1.asLeadingNumber })
    // The product of one operand is the operand, unconverted. No operands have no product: JavaScript's code throws.
    case .product where values.count < 2: return values.first ?? .null
    case .product: return .number(values.reduce(1) { $0 * $1.asLeadingNumber })
    case .max, .min:
      // A single list has the operands, as in Go's implementation.
      let list = values.count == 1 ? values[0].elements : nil
      return list?.isEmpty == true ? .null : .number(extreme(of: (list ?? values).map(\.asNumber)))
    case .merge: return .array(values.flatMap { $0.elements ?? [$0] })
    case .substring: return Self.part(of: values)
    case .difference, .quotient, .remainder: return .number(combination(of: values))
    // With three operands, the second has to be between the others: for `<` and `<=` in JavaScript's implementation,
    // for all four operators in Go's and here. A missing operand is undefined in JavaScript, so no comparison holds.
    default: return .bool(values.count > 1 && (1..<values.count).allSatisfy { isOrdered(values[$0 - 1], values[$0]) })
    }
  }

  /// The greatest or the least number; NaN if one of the values is not a number.
  private func extreme(of numbers: [Double]) -> Double {
    if numbers.contains(where: \.isNaN) { return .nan }
    return self == .max ? numbers.reduce(-.infinity, Swift.max) : numbers.reduce(.infinity, Swift.min)
  }

  /// The result of an operation on two numbers; for `-` and `/`, on all numbers from left to right, as in Go's
  /// implementation. A missing operand is undefined in JavaScript, which converts to NaN.
  private func combination(of values: [FlagValue]) -> Double {
    if self == .difference, values.count == 1 { return -values[0].asNumber }
    guard values.count > 1 else { return .nan }
    let (first, rest) = (values[0].asNumber, values.dropFirst().map(\.asNumber))
    switch self {
    case .difference: return rest.reduce(first, -)
    case .quotient: return rest.reduce(first, /)
    default: return first.truncatingRemainder(dividingBy: rest[0])
    }
  }
}
