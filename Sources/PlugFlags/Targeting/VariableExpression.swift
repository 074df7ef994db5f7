/// `var`. A path that is a constant in the document is split when the targeting is compiled.
final class VariableExpression: Expression {
  private let known: VariablePath?
  private let path: any Expression
  private let fallback: (any Expression)?
  let name: String

  init(_ path: any Expression, fallback: (any Expression)?) {
    (self.path, self.fallback) = (path, fallback)
    known = path.constant.map { VariablePath($0) }
    name = known.map { $0.components.isEmpty ? "var" : "var \($0)" } ?? "var"
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let path = if let known { known } else { VariablePath(try path.read(in: context, &state)) }
    state.recorder?.noteReading(path.components, inLoop: state.isInLoop)
    let value = path.value(in: context, &state)
    if let value, !value.isNull { return value }
    return try fallback?.value(in: context, &state) ?? .null
  }
}

/// The names and indices that lead to a value: `user.name`, `tags.0`. An empty path leads to the whole data.
struct VariablePath: Sendable, CustomStringConvertible {
  let components: [String]

  /// The name, if the path names an attribute and nothing else.
  private let attribute: String?

  /// Creates a path from the operand of `var`: any value as JavaScript writes it, split at its dots.
  init(_ value: FlagValue) {
    switch value {
    case .null, .string(""): components = []
    default: components = value.asText.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    attribute = components.count == 1 && !["targetingKey", "$flagd"].contains(components[0]) ? components[0] : nil
  }

  var description: String { components.joined(separator: ".") }

  /// Whether the path leads to the flag key.
  var isFlagKey: Bool { components == ["$flagd", "flagKey"] }

  /// The value that the path leads to; `nil` if there is none. A string has no properties, as in Go's implementation.
  func value<Context: FlagContext>(in context: Context, _ state: inout EvaluationState) -> FlagValue? {
    if let attribute, !state.isInLoop { return context.attribute(attribute) }
    switch state.scope {
    case .context: break
    case .element(let element): return element.descendant(components[...])
    case .reduction(let current, let accumulator):
      switch components.first {
      case nil: return .object(["current": current, "accumulator": accumulator])
      case "current": return current.descendant(components.dropFirst())
      case "accumulator": return accumulator.descendant(components.dropFirst())
      default: return nil
      }
    }
    switch components.first {
    case nil:
      var data = context.attributes
      if let key = context.targetingKey { data["targetingKey"] = .string(key) }
      data["$flagd"] = Self.properties(state)
      return .object(data)
    case "$flagd":
      return isFlagKey ? .string(state.flagKey) : Self.properties(state).descendant(components.dropFirst())
    case "targetingKey" where components.count == 1:
      if let key = context.targetingKey { return .string(key) }
    default: break
    }
    return context.attribute(components[0])?.descendant(components.dropFirst())
  }

  /// The targeting key of a context, which may be an attribute.
  static func targetingKey<Context: FlagContext>(of context: Context) -> String? {
    if let key = context.targetingKey { return key }
    return if case .string(let key) = context.attribute("targetingKey") { key } else { nil }
  }

  @inline(never)
  private static func properties(_ state: EvaluationState) -> FlagValue {
    ["flagKey": .string(state.flagKey), "timestamp": state.timestamp]
  }
}

extension FlagValue {
  /// The value that a path leads to from this value.
  func descendant(_ path: ArraySlice<String>) -> FlagValue? {
    guard let name = path.first else { return self }
    switch self {
    case .object(let members): return members[name]?.descendant(path.dropFirst())
    case .array(let elements):
      let number = Double(name).flatMap { Int(exactly: $0) }
      guard let index = number, elements.indices.contains(index), String(index) == name else { return nil }
      return elements[index].descendant(path.dropFirst())
    default: return nil
    }
  }
}
