/// The operators of JsonLogic (jsonlogic.com/operations.html) and those that flagd adds.
enum Operator: String, CaseIterable {
  case variable = "var"
  case missing, missingSome = "missing_some"
  case condition = "if", ternary = "?:"
  case and, or, not = "!", truth = "!!", log
  case equal = "==", unequal = "!=", identical = "===", different = "!=="
  case less = "<", atMost = "<=", greater = ">", atLeast = ">="
  case sum = "+", difference = "-", product = "*", quotient = "/", remainder = "%", max, min
  case map, filter, reduce, merge, allElements = "all", noElement = "none", anyElement = "some"
  case element = "in", concatenation = "cat", substring = "substr"
  case fractional
  case version = "sem_ver", prefix = "starts_with", suffix = "ends_with"

  /// Returns the operator's expression with its operands. A missing operand is null.
  func expression(_ operands: [any Expression]) -> any Expression {
    let null: any Expression = ConstantExpression(.null)
    let (first, second) = (operands.first ?? null, operands.count > 1 ? operands[1] : null)
    switch (self, operands.count) {
    case (.variable, let count): return VariableExpression(first, fallback: count > 1 ? second : nil)
    case (.condition, 0...1), (.ternary, 0...1), (.and, 0...1), (.or, 0...1): return first
    case (.condition, _), (.ternary, _): return ConditionExpression(self, operands)
    case (.and, _), (.or, _): return LogicExpression(self, operands[...])
    case (.element, _): return ContainmentExpression(first, second)
    case (.fractional, _): return FractionalExpression(operands)
    case (.version, 3): return VersionExpression(first, second, operands[2])
    // A missing operand is undefined in JavaScript: equal to null for `==`, and different from all values for `===`.
    case (.identical, 1), (.different, 1): return ConstantExpression(.bool(self == .different))
    case (.equal, _), (.unequal, _), (.identical, _), (.different, _), (.less, 2), (.atMost, 2), (.greater, 2),
      (.atLeast, 2), (.prefix, 2), (.suffix, 2):
      return BinaryExpression(self, first, second)
    case (.version, _), (.prefix, _), (.suffix, _): return null
    case (.reduce, 0...2): return FunctionExpression(self, first, second, [first, second, null])
    default: return FunctionExpression(self, first, second, operands)
    }
  }
}
