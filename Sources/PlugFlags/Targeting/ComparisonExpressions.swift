/// `in`: whether a text is part of a text, or a value is an element of an array.
final class ContainmentExpression: Expression {
  private let needle: any Expression
  private let haystack: any Expression

  /// The elements of an array that the document contains.
  private let elements: ElementSet?
  var name: String { "in" }

  init(_ needle: any Expression, _ haystack: any Expression) {
    (self.needle, self.haystack) = (needle, haystack)
    elements =
      if case .array(let elements) = (haystack as? ConstantExpression)?.constant { ElementSet(elements) } else { nil }
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let needle = try needle.readValue(in: context, &state)
    if let elements {
      // The known operand is evaluated only for the explanation.
      if state.recorder != nil { _ = try haystack.value(in: context, &state) }
      return .bool(elements.contains(needle))
    }
    let haystack = try haystack.readValue(in: context, &state)
    switch haystack {
    case .array(let elements): return .bool(elements.contains { FlagValue.isIdentical($0, needle) })
    case .string(let text): return .bool(text.containsBytes(of: needle.asText))
    default: return false
    }
  }
}

/// The elements of an array, of which arrays and objects are equal to nothing.
private struct ElementSet: Sendable {
  private let texts: NameTable<String>
  private let others: Set<FlagValue>

  init(_ elements: [FlagValue]) {
    texts = NameTable(elements.compactMap { if case .string(let text) = $0 { text } else { nil } }, name: \.self)
    others = Set(elements.filter { if case .string = $0 { false } else { true } })
  }

  func contains(_ value: FlagValue) -> Bool {
    switch value {
    case .string(let text): texts[text] != nil
    case .array, .object: false
    case .null, .bool, .number: others.contains(value)
    }
  }
}
