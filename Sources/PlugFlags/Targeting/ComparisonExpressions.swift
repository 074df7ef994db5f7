/// `in`: whether a string is part of a string, or a value is an element of an array.
final class ContainmentExpression: Expression {
  private let needle: any Expression
  private let haystack: any Expression

  /// The strings in an array that is a constant in the document; `nil` if there is no such array.
  private let texts: NameIndex?

  /// The other elements of this array as strings, which differ if the elements do. Arrays and objects, which equal
  /// nothing, are left out.
  private let others: NameIndex
  var name: String { "in" }

  init(_ needle: any Expression, _ haystack: any Expression) {
    (self.needle, self.haystack) = (needle, haystack)
    var (texts, others) = (NameIndex(), NameIndex())
    for element in haystack.constant?.elements ?? [] {
      switch element {
      case .string(let text): texts.append(text)
      case .array, .object: break
      case .null, .bool, .number: others.append(element.asText)
      }
    }
    (self.texts, self.others) = (haystack.constant?.elements == nil ? nil : texts, others)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let needle = try needle.readValue(in: context, &state)
    if let texts {
      // The known operand is evaluated only for the explanation.
      if state.recorder != nil { _ = try haystack.value(in: context, &state) }
      switch needle {
      case .string(let text): return .bool(texts[text] != nil)
      case .array, .object: return false
      case .null, .bool, .number: return .bool(others[needle.asText] != nil)
      }
    }
    let haystack = try haystack.read(in: context, &state)
    switch haystack {
    case .array(let elements): return .bool(elements.contains { FlagValue.isIdentical($0, needle) })
    case .string(let text): return .bool(text.containsBytes(of: needle.asText))
    default: return false
    }
  }
}
