/// The operands of an operation. One that is missing is null.
struct Operands {
  let list: [any Expression]

  subscript(position: Int) -> any Expression {
    position < list.count ? list[position] : ConstantExpression(.null)
  }
}

/// The operators of JsonLogic (jsonlogic.com/operations.html) and those that flagd adds.
enum Operators {
  typealias Make = @Sendable (_ name: String, _ operands: Operands) -> any Expression

  static let all: [String: Make] = [data, logic, comparison, arithmetic, lists, texts, flagd].reduce(into: [:]) {
    $0.merge($1) { first, _ in first }
  }

  private static let data: [String: Make] = [
    "var": { _, operands in variable(operands) },
    "missing": { MissingExpression($0, needed: nil, paths: $1.list) },
    "missing_some": { MissingExpression($0, needed: $1[0], paths: [$1[1]]) },
  ]

  private static let logic: [String: Make] = [
    "if": { $1.list.count < 2 ? $1[0] : ConditionExpression($0, $1.list) },
    "?:": { $1.list.count < 2 ? $1[0] : ConditionExpression($0, $1.list) },
    "and": { $1.list.count < 2 ? $1[0] : LogicExpression($0, $1.list, deciding: false) },
    "or": { $1.list.count < 2 ? $1[0] : LogicExpression($0, $1.list, deciding: true) },
    "!": { TruthExpression($0, $1[0], wanted: false) },
    "!!": { TruthExpression($0, $1[0], wanted: true) },
    "log": { LogExpression($1[0]) },
  ]

  private static let comparison: [String: Make] = [
    "==": { equality($0, $1, isStrict: false, wanted: true) },
    "!=": { equality($0, $1, isStrict: false, wanted: false) },
    "===": { equality($0, $1, isStrict: true, wanted: true) },
    "!==": { equality($0, $1, isStrict: true, wanted: false) },
    "<": { OrderExpression($0, $1.list) { $0 < 0 } },
    "<=": { OrderExpression($0, $1.list) { $0 <= 0 } },
    ">": { OrderExpression($0, $1.list) { $0 > 0 } },
    ">=": { OrderExpression($0, $1.list) { $0 >= 0 } },
    "in": { ContainmentExpression($1[0], $1[1]) },
  ]

  private static let arithmetic: [String: Make] = [
    "+": { FunctionExpression($0, $1, Arithmetic.sum) },
    "-": { FunctionExpression($0, $1, Arithmetic.difference) },
    "*": { FunctionExpression($0, $1, Arithmetic.product) },
    "/": { FunctionExpression($0, $1) { Arithmetic.combination($0, /) } },
    "%": {
      FunctionExpression($0, $1) { Arithmetic.combination($0) { $0.truncatingRemainder(dividingBy: $1) } }
    },
    "max": { FunctionExpression($0, $1) { Arithmetic.extreme($0, from: -.infinity, max) } },
    "min": { FunctionExpression($0, $1) { Arithmetic.extreme($0, from: .infinity, min) } },
  ]

  private static let lists: [String: Make] = [
    "map": { CollectionExpression($0, .map, source: $1[0], body: $1[1]) },
    "filter": { CollectionExpression($0, .filter, source: $1[0], body: $1[1]) },
    "all": { CollectionExpression($0, .all, source: $1[0], body: $1[1]) },
    "none": { CollectionExpression($0, .none, source: $1[0], body: $1[1]) },
    "some": { CollectionExpression($0, .some, source: $1[0], body: $1[1]) },
    "reduce": { ReductionExpression(source: $1[0], body: $1[1], initial: $1[2]) },
    "merge": { FunctionExpression($0, $1, Arithmetic.merge) },
  ]

  private static let texts: [String: Make] = [
    "cat": { ConcatenationExpression($1.list) },
    "substr": { FunctionExpression($0, $1, substring) },
  ]

  private static let flagd: [String: Make] = [
    "fractional": { FractionalExpression($1.list) },
    "sem_ver": { version($1.list) },
    "starts_with": { affix($0, $1.list, isPrefix: true) },
    "ends_with": { affix($0, $1.list, isPrefix: false) },
  ]

  /// With another number of operands the result is null.
  private static func version(_ operands: [any Expression]) -> any Expression {
    guard operands.count == 3 else { return ConstantExpression(.null) }
    return VersionExpression(operands[0], operands[1], operands[2])
  }

  private static func affix(_ name: String, _ operands: [any Expression], isPrefix: Bool) -> any Expression {
    guard operands.count == 2 else { return ConstantExpression(.null) }
    return AffixExpression(name, operands[0], operands[1], isPrefix: isPrefix)
  }

  private static func variable(_ operands: Operands) -> any Expression {
    let fallback = operands.list.count > 1 ? operands[1] : nil
    if let path = operands[0] as? ConstantExpression {
      return VariableExpression(VariablePath(path.constant), fallback: fallback)
    }
    return ComputedVariableExpression(operands[0], fallback: fallback)
  }

  /// An operand that is missing is undefined in JavaScript: `==` takes it as null, and `===` as nothing else.
  private static func equality(
    _ name: String, _ operands: Operands, isStrict: Bool, wanted: Bool
  ) -> any Expression {
    if isStrict, operands.list.count == 1 { return ConstantExpression(.bool(!wanted)) }
    return EqualityExpression(name, operands[0], operands[1], isStrict: isStrict, wanted: wanted)
  }
}
