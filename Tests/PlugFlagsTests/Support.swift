import Foundation
import Plug
import Testing

@testable import PlugFlags

/// The result of a targeting as JSON; "NaN" and "Infinity" where it is no number that JSON has.
///
/// - Parameters:
///   - rule: The targeting as JSON.
///   - data: What `var` sees, as JSON. It can be any value.
func result(of rule: String, _ data: String = "{}") throws -> String {
  switch try value(of: rule, data) {
  case .number(let number) where !number.isFinite: NumberText.text(number)
  case let value: value.description
  }
}

func value(of rule: String, _ data: String = "{}", recorder: TraceRecorder? = nil) throws -> FlagValue {
  var state = evaluation(recorder: recorder)
  let (expression, context) = (try expression(of: rule), try FlagValue(json: data))
  if case .object(let attributes) = context {
    return try expression.value(in: FlagAttributes(attributes), &state)
  }
  state.scope = .element(context)
  return try expression.value(in: FlagAttributes(), &state)
}

/// How many steps a targeting takes.
func stepCount(of rule: String, _ context: FlagAttributes) throws -> Int {
  var state = evaluation(recorder: nil)
  _ = try expression(of: rule).value(in: context, &state)
  return state.steps
}

private func expression(of rule: String) throws -> any PlugFlags.Expression {
  let (json, _) = try JSONReader.read(Array(rule.utf8))
  var compiler = TargetingCompiler(evaluators: [:], hints: SpellingHints(), version: .v2)
  let expression = compiler.compile(json, at: JSONPath())
  try #require(compiler.isValid, "\(compiler.problems)")
  return expression
}

private func evaluation(recorder: TraceRecorder?) -> EvaluationState {
  let time = Date(timeIntervalSince1970: 1_700_000_000.5)
  return EvaluationState(
    flagKey: "flag", flagHash: RolloutHashing.flagd.prefix("flag"), version: .v2, time: time, recorder: recorder)
}

/// A document with one flag, whose variants are their names.
func document(
  _ targeting: String, variants: [String] = ["on", "off"], key: String = "flag", default: String? = "\"off\""
) throws -> FlagDocument {
  let variants = variants.map { "\"\($0)\": \"\($0)\"" }.joined(separator: ", ")
  let defaultVariant = `default`.map { ", \"defaultVariant\": \($0)" } ?? ""
  return try FlagDocument(
    """
    {"flags": {"\(key)": {"state": "ENABLED", "variants": {\(variants)}\(defaultVariant), "targeting": \(targeting)}}}
    """)
}

/// A targeting, its input, and its result.
struct Case: Sendable, CustomTestStringConvertible {
  let rule: String
  let data: String
  let result: String

  init(_ rule: String, _ result: String) {
    self.init(rule, "{}", result)
  }

  init(_ rule: String, _ data: String, _ result: String) {
    (self.rule, self.data, self.result) = (rule, data, result)
  }

  var testDescription: String { "\(rule) of \(data)" }

  /// Evaluates the targeting, directly and with a record of it.
  func check(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(try PlugFlagsTests.result(of: rule, data) == result, "\(rule) of \(data)", sourceLocation: location)
    let recorder = TraceRecorder()
    let recorded = try value(of: rule, data, recorder: recorder)
    #expect(recorder.trace?.result.description == recorded.description, sourceLocation: location)
    #expect(recorded.description == (try value(of: rule, data).description), sourceLocation: location)
  }
}
