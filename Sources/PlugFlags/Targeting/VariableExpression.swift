/// `var` with a path that the document contains, split when it is compiled.
final class VariableExpression: Expression {
  let path: VariablePath
  let fallback: (any Expression)?
  let name: String

  init(_ path: VariablePath, fallback: (any Expression)?) {
    self.path = path
    self.fallback = fallback
    name = path.components.isEmpty ? "var" : "var \(path)"
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    if let value = path.value(in: context, &state), value != .null { return value }
    return try fallback?.value(in: context, &state) ?? .null
  }
}

/// `var` with a path that is computed.
final class ComputedVariableExpression: Expression {
  let path: any Expression
  let fallback: (any Expression)?
  var name: String { "var" }

  init(_ path: any Expression, fallback: (any Expression)?) {
    (self.path, self.fallback) = (path, fallback)
  }

  func evaluate(in context: some FlagContext, _ state: inout EvaluationState) throws(EvaluationFailure) -> FlagValue {
    let path = VariablePath(try path.readValue(in: context, &state))
    if let value = path.value(in: context, &state), value != .null { return value }
    return try fallback?.value(in: context, &state) ?? .null
  }
}

/// The names and indices that lead to a value: `user.name`, `tags.0`. None lead to the whole data.
struct VariablePath: Sendable, CustomStringConvertible {
  private enum Root {
    case all, targetingKey, flagProperties, name
  }

  let components: [String]
  private let root: Root

  /// The name, if the path is that of an attribute and nothing else.
  private let attribute: String?

  /// A path as `var` takes it: any value as JavaScript writes it, split at its dots.
  init(_ value: FlagValue) {
    switch value {
    case .null, .string(""): components = []
    default: components = value.asText.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
    root =
      switch components.first {
      case nil: .all
      case "targetingKey": .targetingKey
      case "$flagd": .flagProperties
      default: .name
      }
    attribute = root == .name && components.count == 1 ? components[0] : nil
  }

  var description: String { components.joined(separator: ".") }

  /// Whether the path leads to the flag key.
  var isFlagKey: Bool { components == ["$flagd", "flagKey"] }

  /// The value that it leads to; `nil` if there is none. A string has no properties, as in the implementation in Go.
  func value<Context: FlagContext>(in context: Context, _ state: inout EvaluationState) -> FlagValue? {
    if let attribute, !state.isInLoop { return context.attribute(attribute) }
    switch state.scope {
    case .context: return value(in: context, &state, root)
    case .element(let element): return components.isEmpty ? element : element.descendant(components[...])
    case .reduction(let current, let accumulator):
      switch components.first {
      case nil: return .object(["current": current, "accumulator": accumulator])
      case "current": return current.descendant(components.dropFirst())
      case "accumulator": return accumulator.descendant(components.dropFirst())
      default: return nil
      }
    }
  }

  /// The targeting key of a context, which may be an attribute.
  static func targetingKey<Context: FlagContext>(of context: Context) -> String? {
    if let key = context.targetingKey { return key }
    return if case .string(let key) = context.attribute("targetingKey") { key } else { nil }
  }

  private func value<Context: FlagContext>(
    in context: Context, _ state: inout EvaluationState, _ root: Root
  ) -> FlagValue? {
    switch root {
    case .all: return .object(Self.data(of: context, state))
    case .flagProperties:
      if components.count == 2, components[1] == "flagKey" { return .string(state.flagKey) }
      if components.count == 2, components[1] == "timestamp" { return state.timestamp }
      return Self.properties(state).descendant(components.dropFirst())
    case .targetingKey:
      if components.count == 1, let key = context.targetingKey { return .string(key) }
    case .name: break
    }
    let value = context.attribute(components[0])
    return components.count == 1 ? value : value?.descendant(components.dropFirst())
  }

  private static func data<Context: FlagContext>(of context: Context, _ state: EvaluationState) -> [String: FlagValue] {
    var data = context.attributes
    if let key = context.targetingKey { data["targetingKey"] = .string(key) }
    data["$flagd"] = properties(state)
    return data
  }

  private static func properties(_ state: EvaluationState) -> FlagValue {
    ["flagKey": .string(state.flagKey), "timestamp": state.timestamp]
  }
}

extension FlagValue {
  /// The value that a path leads to, from this one.
  func descendant(_ path: ArraySlice<String>) -> FlagValue? {
    guard let name = path.first else { return self }
    switch self {
    case .object(let members): return members[name]?.descendant(path.dropFirst())
    case .array(let elements):
      guard let index = Int(name), elements.indices.contains(index), String(index) == name else { return nil }
      return elements[index].descendant(path.dropFirst())
    default: return nil
    }
  }
}
