import Plug

/// The reason why a rule about a flag is indeterminate.
struct FlagError: Error, CustomStringConvertible {
  let code: FlagErrorCode
  let message: String

  var description: String { "\(code.rawValue): \(message)" }
}

/// What a rule states about a flag.
final class FlagCondition: Sendable {
  /// The key of the flag.
  let key: HashedName

  /// Tells whether a variant is as stated; `nil` if its value is of another type.
  let test: @Sendable (Flag.Variant) -> Bool?

  /// The type that the value should be of, for messages.
  let type: String

  init(key: String, test: @escaping @Sendable (Flag.Variant) -> Bool?, type: String) {
    (self.key, self.test, self.type) = (HashedName(key), test, type)
  }

  /// What a rule about the variant of a flag states.
  static func name(_ key: String, variant: String) -> String {
    "variant of flag \(JSONWriter.quoted(key)) == \(JSONWriter.quoted(variant))"
  }

  /// The variant that a flag has.
  ///
  /// - Returns: `nil` where the caller's default counts.
  /// - Throws: The error of the evaluation.
  static func variant<Context: FlagContext>(
    of key: HashedName, in context: Context, from injector: Injector
  ) throws -> Flag.Variant? {
    switch try injector.flagsInForce().decision(key, in: context) {
    case .variant(let variant, _): return variant
    case .callersDefault: return nil
    case .failure(let code, let message): throw FlagError(code: code, message: message)
    }
  }

  /// Decides the condition.
  ///
  /// - Returns: `false` where the caller's default counts.
  /// - Throws: The error of the evaluation.
  func isMet<Context: FlagContext>(in context: Context, from injector: Injector) throws -> Bool {
    guard let variant = try Self.variant(of: key, in: context, from: injector) else { return false }
    if let result = test(variant) { return result }
    let message = "variant \(JSONWriter.quoted(variant.name)) is \(variant.value), not \(type)"
    throw FlagError(code: .typeMismatch, message: message)
  }

  /// What the condition sees, for explanations.
  ///
  /// - Throws: An error that came before any targeting, because the reason tells it already.
  static func operand<Context: FlagContext>(
    of key: String, in context: Context, from injector: Injector
  ) throws -> Operand {
    let explanation = try injector.flagsInForce().explain(key, in: context)
    let evaluation = explanation.evaluation
    if let code = evaluation.errorCode, explanation.targeting == nil {
      throw FlagError(code: code, message: evaluation.errorMessage ?? "")
    }
    return Operand(text: explanation.operandText, value: explanation.operandValue)
  }
}

extension Mention {
  /// The kind of all flags.
  static let flag = "flag"

  init(flag key: String, names: Names? = nil) {
    self.init(kind: Self.flag, key: key, names: names)
  }
}

extension Rule where Context: FlagContext {
  /// A rule about a flag.
  ///
  /// - Parameters:
  ///   - name: What it states.
  ///   - condition: How it is decided.
  init(_ name: String, _ condition: FlagCondition) {
    let key = condition.key.text
    self.init(
      name, { try condition.isMet(in: $0, from: $1) }, mentioning: Mention(flag: key),
      seeing: { try FlagCondition.operand(of: key, in: $0, from: $1) })
  }
}

extension FlagExplanation {
  /// The result without the key, which the rule names, and the targeting below it.
  fileprivate var operandText: String {
    let value = evaluation.value.map(\.description) ?? "the caller's default"
    let variant = evaluation.variant.map { "\($0) = " } ?? ""
    let result = evaluation.errorCode == nil ? "\(variant)\(value) (\(evaluation.reason.rawValue))" : "ERROR"
    return ([result + origin] + (targeting?.lines(level: 0) ?? [])).joined(separator: "\n")
  }

  fileprivate var operandValue: RuleTrace.Value {
    var members: [String: RuleTrace.Value] = [
      "flag": .string(key), "reason": .string(evaluation.reason.rawValue),
      "value": evaluation.value.map(RuleTrace.Value.init(flagValue:)) ?? .null,
    ]
    members["source"] = source.map(RuleTrace.Value.string)
    members["variant"] = evaluation.variant.map(RuleTrace.Value.string)
    members["errorCode"] = evaluation.errorCode.map { .string($0.rawValue) }
    members["targeting"] = targeting?.operandValue
    return .object(members)
  }
}

extension FlagTrace {
  /// The trace with the members that it has when it is encoded.
  fileprivate var operandValue: RuleTrace.Value {
    var members: [String: RuleTrace.Value] = ["result": RuleTrace.Value(flagValue: result)]
    members["operation"] = operation.map(RuleTrace.Value.string)
    members["remark"] = remark.map(RuleTrace.Value.string)
    if !operands.isEmpty { members["operands"] = .array(operands.map(\.operandValue)) }
    return .object(members)
  }
}

extension RuleTrace.Value {
  fileprivate init(flagValue value: FlagValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .boolean(value)
      case .number(let value): .number(value)
      case .string(let value): .string(value)
      case .array(let elements): .array(elements.map(Self.init(flagValue:)))
      case .object(let members): .object(members.mapValues(Self.init(flagValue:)))
      }
  }
}
