/// `in`: whether a text is part of a text, or a value is an element of an array.
final class ContainmentExpression: Expression {
  private let needle: any Expression
  private let haystack: any Expression

  /// The elements of an array that the document contains.
  private let elements: ElementSet?
  var name: String { "in" }

  init(_ needle: any Expression, _ haystack: any Expression) {
    (self.needle, self.haystack) = (needle, haystack)
    elements = if case .array(let elements) = haystack.constant { ElementSet(elements) } else { nil }
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let needle = try needle.readValue(in: context, &state)
    if let elements {
      // The known operand is evaluated only for the explanation.
      if state.recorder != nil { _ = try haystack.value(in: context, &state) }
      return .bool(elements.contains(needle))
    }
    let haystack = try haystack.read(in: context, &state)
    switch haystack {
    case .array(let elements): return .bool(elements.contains { FlagValue.isIdentical($0, needle) })
    case .string(let text): return .bool(text.containsBytes(of: needle.asText))
    default: return false
    }
  }
}

/// The elements of an array, of which arrays and objects are equal to nothing.
private struct ElementSet: Sendable {
  private var texts = NameIndex()

  /// The texts of the other elements, of which no two are equal.
  private var others = NameIndex()

  init(_ elements: [FlagValue]) {
    for element in elements {
      switch element {
      case .string(let text): texts.append(text)
      case .array, .object: break
      case .null, .bool, .number: others.append(element.asText)
      }
    }
  }

  @inline(never)
  func contains(_ value: FlagValue) -> Bool {
    switch value {
    case .string(let text): texts[text] != nil
    case .array, .object: false
    case .null, .bool, .number: others[value.asText] != nil
    }
  }
}
