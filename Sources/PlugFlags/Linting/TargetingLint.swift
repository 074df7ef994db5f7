import Plug

/// Visits targeting.
extension FlagLint {
  mutating func visit(_ json: JSON, at path: JSONPath) {
    switch json {
    case .array(let elements):
      for (index, element) in elements.enumerated() { visit(element, at: path.appending(index: index)) }
    case .object(let members):
      if members.count > 1, members.contains(where: { Operator(rawValue: $0.key) != nil }) {
        add(path, "an object with several members is a value, not an operation")
      } else if let operation = Operation(json) {
        visit(operation, at: path.appending(operation.name))
      }
    default: break
    }
  }

  private mutating func visit(_ operation: Operation, at path: JSONPath) {
    let operands = operation.operands
    switch operation.name {
    case "if", "?:": visitConditions(operands, at: path)
    case "and": visitOperands(operands, deciding: false, at: path)
    case "or": visitOperands(operands, deciding: true, at: path)
    case "fractional": visitFractional(operation, at: path)
    case "var": visitVariable(operands, at: path)
    case "max", "min":
      // A single list has the operands.
      for (index, operand) in operands.enumerated() where operands.count > 1 && isList(operand) {
        add(path.appending(index: index), "the operand is a list, not a number")
      }
    default: break
    }
    if operation.name == "fractional" { splits.append(operation.bucketing) }
    for (index, operand) in operands.enumerated() {
      visit(operand, at: operation.isList ? path.appending(index: index) : path)
    }
    if operation.name == "fractional" { splits.removeLast() }
  }

  private mutating func visitConditions(_ operands: [JSON], at path: JSONPath) {
    var earlier: [JSON] = []
    for index in stride(from: 0, to: operands.count - 1, by: 2) {
      let (condition, place) = (operands[index], path.appending(index: index))
      if let value = Self.constant(condition) {
        if value.isTruthy, index + 2 < operands.count {
          return add(place, "the condition is always true, so nothing after it is reached")
        }
        if !value.isTruthy { add(place, "the condition is always false, so what it leads to is never reached") }
      } else if earlier.contains(condition) {
        add(place, "the same condition has come before, so what it leads to is never reached")
      }
      earlier.append(condition)
    }
  }

  private mutating func visitOperands(_ operands: [JSON], deciding: Bool, at path: JSONPath) {
    for (index, operand) in operands.dropLast().enumerated() {
      guard let value = Self.constant(operand), value.isTruthy == deciding else { continue }
      return add(path.appending(index: index), "the operand is always \(deciding), so nothing after it is reached")
    }
  }

  private mutating func visitFractional(_ operation: Operation, at path: JSONPath) {
    if splits.contains(operation.bucketing) {
      let message = "a split around this one has the same bucketing value, so some of its variants are never chosen"
      add(path, message)
    }
    let operands = operation.operands
    var shares = operands[...]
    if let first = operands.first, !first.isArray {
      shares = shares.dropFirst()
      if first != .null, !depends(first, onFlagKey: false) {
        add(path.appending(index: 0), "the bucketing value is constant, so everyone has the same bucket")
      } else if first != .null, !depends(first, onFlagKey: true) {
        let message = "the bucketing value lacks $flagd.flagKey, so flags with the same value have the same buckets"
        add(path.appending(index: 0), message)
      }
    }
    let weights = shares.map { share -> FlagValue? in
      guard case .array(let parts) = share else { return nil }
      return parts.count > 1 ? Self.constant(parts[1]) : 1
    }
    for case (let index, .number(let weight)?) in weights.enumerated() where weight < 0 {
      let place = path.appending(index: index + operands.count - shares.count).appending(index: 1)
      add(place, "the weight \(FlagValue.number(weight)) counts as 0")
    }
    let areAllZero = weights.allSatisfy { if case .number(let weight) = $0 { weight <= 0 } else { false } }
    if areAllZero, !weights.isEmpty { add(path, "the weights are all 0, so the result is null") }
  }

  private mutating func visitVariable(_ operands: [JSON], at path: JSONPath) {
    guard case .string(let text)? = operands.first, text.hasBytePrefix("$flagd.") else { return }
    let known = ["$flagd.flagKey", "$flagd.timestamp"]
    if known.contains(text) { return }
    let hint = Spelling.hint(for: text, among: known)
    add(path, "there is no variable \(JSONWriter.quoted(text))\(hint)")
  }

  /// Whether the value is an array, or an operation that returns one.
  private func isList(_ json: JSON) -> Bool {
    json.isArray || Operation(json).map { ["map", "filter", "merge"].contains($0.name) } ?? false
  }

  /// Whether a value depends on the flag key, or on the context if `onFlagKey` is false.
  private func depends(_ json: JSON, onFlagKey: Bool) -> Bool {
    switch json {
    case .string(let text): return onFlagKey && flagKey.map { !$0.isEmpty && text.contains($0) } ?? false
    case .array(let elements): return elements.contains { depends($0, onFlagKey: onFlagKey) }
    default: break
    }
    guard let operation = Operation(json) else { return false }
    switch operation.name {
    case "var":
      guard case .string(let path)? = operation.operands.first else { return !onFlagKey }
      return VariablePath(.string(path)).isFlagKey == onFlagKey
    case "missing", "missing_some": return !onFlagKey
    case "$ref":
      guard let evaluator = json.reference.flatMap({ evaluators[$0] }) else { return !onFlagKey }
      return depends(evaluator, onFlagKey: onFlagKey)
    default: return operation.operands.contains { depends($0, onFlagKey: onFlagKey) }
    }
  }

  /// The value of a constant; `nil` for an array or an operation.
  private static func constant(_ json: JSON) -> FlagValue? {
    json.isArray || Operation(json) != nil ? nil : FlagValue(json)
  }

  /// All possible results of a targeting; `nil` if they depend on the context.
  func results(of json: JSON) -> Set<FlagValue>? {
    guard case .object = json, let operation = Operation(json) else { return json.isArray ? nil : [FlagValue(json)] }
    let operands = operation.operands
    switch operation.name {
    case "if", "?:":
      var results: [JSON] = stride(from: 1, to: operands.count, by: 2).map { operands[$0] }
      results.append(operands.count.isMultiple(of: 2) ? .null : operands.last ?? .null)
      return union(results)
    case "and", "or": return union(operands)
    case "fractional":
      return union([.null] + operands.compactMap { if case .array(let parts) = $0 { parts.first } else { nil } })
    case "$ref": return json.reference.flatMap { evaluators[$0] }.flatMap(results)
    case "sem_ver", "starts_with", "ends_with": return [true, false, .null]
    case "==", "===", "!=", "!==", "<", "<=", ">", ">=", "!", "!!", "in", "all", "none", "some": return [true, false]
    default: return nil
    }
  }

  private func union(_ all: [JSON]) -> Set<FlagValue>? {
    var union: Set<FlagValue> = []
    for json in all {
      guard let results = results(of: json) else { return nil }
      union.formUnion(results)
    }
    return union
  }

  /// The names of the evaluators to which a targeting refers.
  static func references(in json: JSON) -> Set<String> {
    switch json {
    case .array(let elements): return elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
    case .object(let members):
      if let reference = json.reference { return [reference] }
      return members.reduce(into: []) { $0.formUnion(references(in: $1.value)) }
    default: return []
    }
  }
}

/// The only member of an object, as an operation. A variant with nothing else is none.
private final class Operation {
  let name: String
  let operands: [JSON]
  let isList: Bool

  init?(_ json: JSON) {
    guard case .object(let members) = json, members.count == 1, members[0].key != "variant" else { return nil }
    name = members[0].key
    if case .array(let elements) = members[0].value {
      (operands, isList) = (elements, true)
    } else {
      (operands, isList) = ([members[0].value], false)
    }
  }

  /// The bucketing value of `fractional`; null for the flag key with the targeting key.
  var bucketing: JSON {
    guard let first = operands.first, !first.isArray else { return .null }
    let parts = ["$flagd.flagKey", "targetingKey"].map { JSON.object([.init(key: "var", value: .string($0))]) }
    return first == .object([.init(key: "cat", value: .array(parts))]) ? .null : first
  }
}

extension JSON {
  fileprivate var isArray: Bool { if case .array = self { true } else { false } }
}
