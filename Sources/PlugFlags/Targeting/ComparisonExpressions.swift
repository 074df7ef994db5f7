/// `==`, `===`, `!=` and `!==`.
final class EqualityExpression: Expression {
  let name: String
  private let left: any Expression
  private let right: any Expression
  private let isStrict: Bool
  private let wanted: Bool

  init(_ name: String, _ left: any Expression, _ right: any Expression, isStrict: Bool, wanted: Bool) {
    (self.name, self.left, self.right, self.isStrict, self.wanted) = (name, left, right, isStrict, wanted)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let left = try left.readValue(in: context, &state)
    let right = try right.readValue(in: context, &state)
    let isEqual = isStrict ? FlagValue.isIdentical(left, right) : FlagValue.isEqual(left, right)
    return .bool(isEqual == wanted)
  }
}

/// `<`, `<=`, `>` and `>=`, of which three operands say that the second is between the others.
///
/// JavaScript's implementation knows that of `<` and `<=` only; here, as in Go's, it works with all of them.
final class OrderExpression: Expression {
  let name: String
  private let operands: [any Expression]
  private let isOrdered: @Sendable (Int) -> Bool

  /// - Parameter isOrdered: Whether two neighbours are ordered, from how they compare.
  init(_ name: String, _ operands: [any Expression], _ isOrdered: @escaping @Sendable (Int) -> Bool) {
    (self.name, self.operands, self.isOrdered) = (name, operands, isOrdered)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    // A missing operand is undefined in JavaScript, and compares like NaN: never.
    guard operands.count >= 2 else { return false }
    var (isTrue, last) = (true, try operands[0].readValue(in: context, &state))
    for operand in operands.dropFirst() {
      let next = try operand.readValue(in: context, &state)
      isTrue = isTrue && FlagValue.order(last, next).map(isOrdered) ?? false
      last = next
    }
    return .bool(isTrue)
  }
}

/// `in`: whether a text is part of a text, or a value is an element of an array.
final class ContainmentExpression: Expression {
  private let needle: any Expression
  private let haystack: any Expression

  /// The elements of a long array that the document contains.
  private let elements: ElementSet?

  /// The elements of a short array that the document contains, if they are strings.
  private let texts: [String]?
  var name: String { "in" }

  init(_ needle: any Expression, _ haystack: any Expression) {
    (self.needle, self.haystack) = (needle, haystack)
    guard case .array(let elements) = (haystack as? ConstantExpression)?.constant else {
      (self.elements, texts) = (nil, nil)
      return
    }
    let list = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    let isLong = elements.count > 32
    self.elements = isLong ? ElementSet(elements) : nil
    texts = isLong || list.count < elements.count ? nil : list
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let needle = try needle.readValue(in: context, &state)
    // What is known is evaluated only to be shown.
    if let texts, case .string(let text) = needle, state.recorder == nil {
      for element in texts where element.hasSameBytes(as: text) { return true }
      return false
    }
    let haystack = try haystack.value(in: context, &state)
    if let elements { return .bool(elements.contains(needle)) }
    try state.charge(haystack)
    switch haystack {
    case .array(let elements): return .bool(elements.contains { FlagValue.isIdentical($0, needle) })
    case .string(let text): return .bool(text.containsBytes(of: needle.asText))
    default: return false
    }
  }
}

/// The elements of an array, of which arrays and objects are equal to nothing.
private struct ElementSet: Sendable {
  private var texts: Set<HashedName> = []
  private var others: Set<FlagValue> = []

  init(_ elements: [FlagValue]) {
    for element in elements {
      if case .string(let text) = element { texts.insert(HashedName(text)) } else { others.insert(element) }
    }
  }

  func contains(_ value: FlagValue) -> Bool {
    switch value {
    case .string(let text): texts.contains(HashedName(text))
    case .array, .object: false
    case .null, .bool, .number: others.contains(value)
    }
  }
}

/// `starts_with` and `ends_with`: null unless both operands are strings.
final class AffixExpression: Expression {
  let name: String
  private let text: any Expression
  private let affix: any Expression

  /// The affix, if the document contains it.
  private let knownAffix: String?
  private let isPrefix: Bool

  init(_ name: String, _ text: any Expression, _ affix: any Expression, isPrefix: Bool) {
    (self.name, self.text, self.affix, self.isPrefix) = (name, text, affix, isPrefix)
    knownAffix = if case .string(let affix) = (affix as? ConstantExpression)?.constant { affix } else { nil }
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    guard case .string(let text) = try text.readValue(in: context, &state) else { return .null }
    // What is known is evaluated only to be shown.
    if state.recorder == nil, let knownAffix { return .bool(isAffix(knownAffix, of: text)) }
    guard case .string(let affix) = try affix.readValue(in: context, &state) else { return .null }
    return .bool(isAffix(affix, of: text))
  }

  private func isAffix(_ affix: String, of text: String) -> Bool {
    isPrefix ? text.hasBytePrefix(affix) : text.hasByteSuffix(affix)
  }
}
