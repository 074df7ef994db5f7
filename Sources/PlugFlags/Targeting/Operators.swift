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

  private static let null: any Expression = ConstantExpression(.null)

  static let all: [String: Make] = [
    "var": { VariableExpression($1[0], fallback: $1.list.count > 1 ? $1[1] : nil) },
    "missing": { MissingExpression($0, needed: nil, paths: $1.list) },
    "missing_some": { MissingExpression($0, needed: $1[0], paths: [$1[1]]) },
    "if": { $1.list.count < 2 ? $1[0] : ConditionExpression($0, $1.list) },
    "?:": { $1.list.count < 2 ? $1[0] : ConditionExpression($0, $1.list) },
    "and": { $1.list.count < 2 ? $1[0] : LogicExpression($0, $1.list, deciding: false) },
    "or": { $1.list.count < 2 ? $1[0] : LogicExpression($0, $1.list, deciding: true) },
    "!": { TruthExpression($0, $1[0], wanted: false) },
    "!!": { TruthExpression($0, $1[0], wanted: true) },
    "log": { FunctionExpression($0, $1) { $0.first ?? .null } },
    "==": { BinaryExpression($0, $1) { .bool(FlagValue.isEqual($0, $1)) } },
    "!=": { BinaryExpression($0, $1) { .bool(!FlagValue.isEqual($0, $1)) } },
    "===": { identity($0, $1, wanted: true) },
    "!==": { identity($0, $1, wanted: false) },
    "<": { order($0, $1) { $0 < 0 } },
    "<=": { order($0, $1) { $0 <= 0 } },
    ">": { order($0, $1) { $0 > 0 } },
    ">=": { order($0, $1) { $0 >= 0 } },
    "in": { ContainmentExpression($1[0], $1[1]) },
    "+": { FunctionExpression($0, $1, Arithmetic.sum) },
    "-": { FunctionExpression($0, $1, Arithmetic.difference) },
    "*": { FunctionExpression($0, $1, Arithmetic.product) },
    "/": { FunctionExpression($0, $1) { Arithmetic.combination($0, /) } },
    "%": {
      FunctionExpression($0, $1) { Arithmetic.combination($0) { $0.truncatingRemainder(dividingBy: $1) } }
    },
    "max": { FunctionExpression($0, $1) { Arithmetic.extreme($0, from: -.infinity, max) } },
    "min": { FunctionExpression($0, $1) { Arithmetic.extreme($0, from: .infinity, min) } },
    "map": { CollectionExpression($0, .map, source: $1[0], body: $1[1]) },
    "filter": { CollectionExpression($0, .filter, source: $1[0], body: $1[1]) },
    "all": { CollectionExpression($0, .find(false, gives: false), source: $1[0], body: $1[1]) },
    "none": { CollectionExpression($0, .find(true, gives: false), source: $1[0], body: $1[1]) },
    "some": { CollectionExpression($0, .find(true, gives: true), source: $1[0], body: $1[1]) },
    "reduce": { ReductionExpression(source: $1[0], body: $1[1], initial: $1[2]) },
    "merge": { FunctionExpression($0, $1, Arithmetic.merge) },
    "cat": { ConcatenationExpression($1.list) },
    "substr": { FunctionExpression($0, $1, substring) },
    "fractional": { FractionalExpression($1.list) },
    "sem_ver": { $1.list.count == 3 ? VersionExpression($1[0], $1[1], $1[2]) : null },
    "starts_with": { affix($0, $1) { $0.hasBytePrefix($1) } },
    "ends_with": { affix($0, $1) { $0.hasByteSuffix($1) } },
  ]

  /// `starts_with` and `ends_with`: null unless both operands are strings.
  private static func affix(
    _ name: String, _ operands: Operands, _ isAffix: @escaping @Sendable (String, String) -> Bool
  ) -> any Expression {
    guard operands.list.count == 2 else { return null }
    return BinaryExpression(name, operands) { text, affix in
      guard case .string(let text) = text, case .string(let affix) = affix else { return .null }
      return .bool(isAffix(text, affix))
    }
  }

  /// An operand that is missing is undefined in JavaScript: `==` takes it as null, and `===` as nothing else.
  private static func identity(_ name: String, _ operands: Operands, wanted: Bool) -> any Expression {
    if operands.list.count == 1 { return ConstantExpression(.bool(!wanted)) }
    return BinaryExpression(name, operands) { .bool(FlagValue.isIdentical($0, $1) == wanted) }
  }

  /// `<`, `<=`, `>` and `>=`, of which three operands say that the second is between the others. A missing operand is
  /// undefined in JavaScript, and compares like NaN: never.
  ///
  /// JavaScript's implementation knows that of `<` and `<=` only; here, as in Go's, it works with all of them.
  ///
  /// - Parameter isOrdered: Whether two neighbours are ordered, from how they compare.
  private static func order(
    _ name: String, _ operands: Operands, _ isOrdered: @escaping @Sendable (Int) -> Bool
  ) -> any Expression {
    if operands.list.count == 2 {
      return BinaryExpression(name, operands) { .bool(FlagValue.order($0, $1).map(isOrdered) ?? false) }
    }
    return FunctionExpression(name, operands) { values in
      .bool(
        values.count > 1
          && zip(values, values.dropFirst()).allSatisfy { FlagValue.order($0, $1).map(isOrdered) ?? false })
    }
  }
}
