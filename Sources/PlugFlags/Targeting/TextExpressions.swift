/// `cat`: texts one after another, with numbers as JavaScript writes them.
final class ConcatenationExpression: Expression {
  let operands: [any Expression]
  let size: Int
  var name: String { "cat" }

  init(_ operands: [any Expression]) {
    self.operands = operands
    size = operands.size
  }

  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    var text = ""
    for operand in operands {
      text += try operand.readValue(in: context, &state).asElementText
    }
    return .string(text)
  }
}

/// `substr`: a part of a text.
///
/// Positions count UTF-16 units, as in JavaScript and Java. Half of a character that takes two of them becomes U+FFFD.
final class SubstringExpression: Expression {
  private let operands: [any Expression]
  let size: Int
  var name: String { "substr" }

  init(_ operands: [any Expression]) {
    self.operands = operands
    size = operands.size
  }

  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    var values: [FlagValue] = []
    for operand in operands.prefix(3) { values.append(try operand.readValue(in: context, &state)) }
    // A missing text is undefined in JavaScript, and "undefined" as text. It is none here.
    guard let text = values.first?.asText else { return .null }
    let units = text.utf16
    let count = Double(units.count)
    let start = values.count > 1 ? Self.whole(values[1].asNumber) : 0
    let from = start < 0 ? max(0, count + start) : min(start, count)
    let length = values.count > 2 ? Self.whole(values[2].asNumber) : count
    // A negative length leaves out so many units at the end.
    let to = length < 0 ? count + length : min(from + length, count)
    guard from < to else { return "" }
    return .string(String(decoding: units.dropFirst(Int(from)).prefix(Int(to - from)), as: UTF16.self))
  }

  /// ToIntegerOrInfinity.
  private static func whole(_ number: Double) -> Double {
    number.isNaN ? 0 : number.rounded(.towardZero)
  }
}

/// `log`: its operand. Nothing is written.
final class LogExpression: Expression {
  private let operand: any Expression
  let size: Int
  var name: String { "log" }

  init(_ operand: any Expression) {
    self.operand = operand
    size = 1 + operand.size
  }

  func evaluate<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState
  ) throws(EvaluationFailure) -> FlagValue {
    try operand.value(in: context, &state)
  }
}
