/// `cat`: texts one after another, with numbers as JavaScript writes them.
final class ConcatenationExpression: Expression {
  let operands: [any Expression]
  var name: String { "cat" }

  init(_ operands: [any Expression]) {
    self.operands = operands
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
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
@Sendable
func substring(_ values: [FlagValue]) -> FlagValue {
  /// ToIntegerOrInfinity.
  func whole(_ place: Int) -> Double? {
    if place >= values.count { return nil }
    let number = values[place].asNumber
    return number.isNaN ? 0 : number.rounded(.towardZero)
  }
  // A missing text is undefined in JavaScript, and "undefined" as text. It is none here.
  guard let units = values.first?.asText.utf16 else { return .null }
  let count = Double(units.count)
  let (start, length) = (whole(1) ?? 0, whole(2) ?? count)
  let from = start < 0 ? max(0, count + start) : min(start, count)
  // A negative length leaves out so many units at the end.
  let to = length < 0 ? count + length : min(from + length, count)
  guard from < to else { return "" }
  return .string(String(decoding: units.dropFirst(Int(from)).prefix(Int(to - from)), as: UTF16.self))
}
