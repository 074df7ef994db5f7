import Foundation
import Plug
import PlugKeys
import TestSupport
import Testing

@testable import PlugFlags

/// Documents with random changes, and random contexts.
@Suite("Any flag document", .repeatable)
struct FlagFuzzTests {
  /// Whether `value` and `evaluate` agree, also for a value of another type.
  private static func hasSameValues(_ document: FlagDocument, _ key: String, _ context: FlagAttributes) -> Bool {
    let services = Injector()
    services[PlugFlags.Flags.self] = document
    let (any, boolean) = (FlagKey(key, default: "default" as FlagValue), FlagKey(key, default: true))
    return services.flag(any, in: context) == document.evaluate(any, in: context).value
      && services.flag(boolean, in: context) == document.evaluate(boolean, in: context).value
  }

  @Test("is read or refused with a reason, is written as it was read, and is evaluated")
  func documents() throws {
    var (rounds, read, valid) = (0, 0, 0)
    try Rounds.run(200) { round in
      var random = round.random
      rounds += 1
      let bytes = FuzzedDocument.bytes(&random)
      let document: FlagDocument
      do throws(FlagDocumentError) {
        document = try FlagDocument(bytes: bytes)
      } catch {
        #expect(!error.description.isEmpty)
        return
      }
      read += 1
      try #require(try FlagDocument(document.json(isIndented: rounds.isMultiple(of: 2))) == document)
      _ = document.findings
      let context = FuzzedDocument.context(&random)
      for key in document.keys {
        let result = document.evaluate(key, in: context, at: .distantPast)
        let explanation = document.explain(key, in: context, at: .distantPast)
        try #require("\(explanation.evaluation)" == "\(result)")
        try #require(Self.hasSameValues(document, key, context))
        if result.errorCode == nil { valid += 1 }
        if document[key]?.isEnabled == false {
          try #require(result.reason == .disabled)
        } else if document[key]?.isValid == false {
          try #require(result.errorCode == .parseError)
        }
      }
    }
    #expect(
      rounds < 600 || read > rounds / 10 && valid > rounds / 20,
      "the documents should not all be wrong: \(read), \(valid)")
  }
}

/// Makes documents and contexts from random numbers.
private enum FuzzedDocument {
  private static let operators = Operator.allCases.map(\.rawValue).sorted()
  private static let words = [
    "on", "off", "country", "DE", "a.b", "", "1", "2.0.0", ">=", "~", "é", "😀", "$flagd.flagKey", "targetingKey",
    "tags",
    "true", "x.0", "current", "accumulator",
  ]

  static func bytes(_ random: inout SplitMix64) -> [UInt8] {
    let targeting = (0..<3).map { _ in json(&random, depth: 5) }
    let text = """
      {"flags": {
        "a": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "on",
          "targeting": \(targeting[0])},
        "b": {"state": "\(Int.random(in: 0..<9, using: &random) == 0 ? "DISABLED" : "ENABLED")",
          "variants": {"on": "x", "1": "y", "true": "z"}, "targeting": \(targeting[1]), "metadata": {"k": 1}}},
        "$evaluators": {"e": \(targeting[2])}, "metadata": {"v": 2}}
      """
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 0..<4, using: &random) { mutate(&bytes, &random) }
    return bytes
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard !bytes.isEmpty else { return }
    let start = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, start + Int.random(in: 1...20, using: &random))
    let tokens = [
      "[", "]", "{", "}", ",", ":", "\"", "\\u", "\\", "1e999", "-", "null", "\"a\":", "[[", "9007199254740993",
    ]
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[start] = UInt8.random(in: .min ... .max, using: &random)
    case 1: bytes.removeSubrange(start..<end)
    case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
    case 3: bytes.insert(contentsOf: tokens.randomElement(using: &random)?.utf8.map(\.self) ?? [], at: start)
    case 4: bytes.removeLast(Int.random(in: 0...min(10, bytes.count), using: &random))
    default: bytes.swapAt(start, end - 1)
    }
  }

  private static func json(_ random: inout SplitMix64, depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 6), using: &random) {
    case 0: return ["null", "true", "false", "0", "1", "-2.5", "1e3"].randomElement(using: &random) ?? "null"
    case 1...4: return JSONWriter.quoted(words.randomElement(using: &random) ?? "")
    case 5: return "{\"var\": \(JSONWriter.quoted(words.randomElement(using: &random) ?? ""))}"
    case 6: return "[\(list(&random, depth: depth - 1))]"
    case 7: return "{\"$ref\": \"e\"}"
    case 8: return "{\"x\": \(json(&random, depth: depth - 1)), \"y\": 1}"
    default:
      let name = operators.randomElement(using: &random) ?? "if"
      return "{\"\(name)\": [\(list(&random, depth: depth - 1))]}"
    }
  }

  private static func list(_ random: inout SplitMix64, depth: Int) -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in json(&random, depth: depth) }.joined(separator: ", ")
  }

  static func context(_ random: inout SplitMix64) -> FlagAttributes {
    var context = FlagAttributes(targetingKey: Bool.random(using: &random) ? "user" : nil)
    for word in words where Bool.random(using: &random) { context[word] = value(&random, depth: 3) }
    return context
  }

  private static func value(_ random: inout SplitMix64, depth: Int) -> FlagValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .number([0, 1, -1, 0.5, 1e300, .nan, .infinity].randomElement(using: &random) ?? 0)
    case 3, 4: return .string(words.randomElement(using: &random) ?? "")
    case 5, 6: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(&random, depth: depth - 1) })
    default: return ["0": value(&random, depth: depth - 1), "b": value(&random, depth: depth - 1)]
    }
  }
}
