import Plug

/// The reason why a rule about a flag is indeterminate.
struct FlagError: Error, CustomStringConvertible {
  let code: FlagErrorCode
  let message: String

  var description: String { "\(code.rawValue): \(message)" }
}

extension Injector {
  /// Returns the variant of a flag in the current document.
  ///
  /// - Returns: `nil` if the caller's default is used.
  /// - Throws: The error of the evaluation.
  func variant<Context: FlagContext>(of key: HashedName, in context: Context) throws -> Flag.Variant? {
    switch try flagsInForce().decision(key, in: context) {
    case .variant(let variant, _): return variant
    case .annotated(let variant, _, _): return variant
    case .failure(let code, let message): throw FlagError(code: code, message: message)
    }
  }
}

/// The mention of a flag in a rule.
func mention(ofFlag key: String) -> Mention { ("flag", key, nil) }

extension Operand {
  /// Creates the operand that explanations show for a rule about a flag.
  ///
  /// - Throws: An error that occurs before any targeting is evaluated, because the rule's reason contains it already.
  init<Context: FlagContext>(ofFlag key: String, in context: Context, from injector: Injector) throws {
    let explanation = try injector.flagsInForce().explain(key, in: context)
    if let code = explanation.evaluation.errorCode, explanation.targeting == nil {
      throw FlagError(code: code, message: explanation.evaluation.errorMessage ?? "")
    }
    self.init(text: explanation.operandText, value: explanation.operandValue)
  }
}

extension Rule where Context: FlagContext {
  /// Creates a rule about the variant of a flag. It is unsatisfied if the caller's default is used.
  ///
  /// - Parameters:
  ///   - name: The name of the rule, which states the condition.
  ///   - type: The type that the value should be of, for messages.
  ///   - test: Returns whether the variant satisfies the rule; `nil` if its value has another type.
  init(
    _ name: String, flag key: String, type: String = "", _ test: @escaping @Sendable (Flag.Variant) -> Bool?
  ) {
    let flag = HashedName(key)
    self.init(
      name,
      { context, injector in
        guard let variant = try injector.variant(of: flag, in: context) else { return false }
        if let result = test(variant) { return result }
        let message = "variant \(JSONWriter.quoted(variant.name)) is \(variant.value), not \(type)"
        throw FlagError(code: .typeMismatch, message: message)
      }, mentioning: mention(ofFlag: key), seeing: { try Operand(ofFlag: key, in: $0, from: $1) })
  }
}

extension FlagExplanation {
  /// The result without the key, which the name of the rule contains, and the targeting below it.
  fileprivate var operandText: String {
    let result = evaluation.errorCode == nil ? result : "ERROR\(origin)"
    return ([result] + (targeting?.lines(level: 0) ?? [])).joined(separator: "\n")
  }

  fileprivate var operandValue: RuleTrace.Value {
    RuleTrace.Value(members: [
      "flag": .string(key), "reason": .string(evaluation.reason.rawValue),
      "value": RuleTrace.Value(flagValue: evaluation.value ?? .null), "source": source.map { .string($0) },
      "variant": evaluation.variant.map { .string($0) }, "errorCode": evaluation.errorCode.map { .string($0.rawValue) },
      "targeting": targeting?.operandValue,
    ])
  }
}

extension FlagTrace {
  /// The trace as a value, with the members of its encoded form.
  fileprivate var operandValue: RuleTrace.Value {
    RuleTrace.Value(members: [
      "result": RuleTrace.Value(flagValue: result), "operation": operation.map { .string($0) },
      "remark": remark.map { .string($0) },
      "operands": operands.isEmpty ? nil : .array(operands.map(\.operandValue)),
    ])
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
