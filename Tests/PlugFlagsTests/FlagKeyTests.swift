import Foundation
import Testing

@testable import PlugFlags

private struct Banner: Decodable, Sendable, Equatable {
  enum Style: String, Decodable { case plain, loud }
  struct Link: Decodable, Equatable { let url: String }

  let title: String
  let count: Int
  let small: UInt8?
  let share: Float
  let style: Style
  let links: [Link]
  let more: [String: Double]
  let none: Bool?
}

@Suite("A flag key")
struct FlagKeyTests {
  private func document(_ variants: String, default name: String) throws -> FlagDocument {
    try FlagDocument(
      """
      {"flags": {"flag": {"state": "ENABLED", "variants": \(variants), "defaultVariant": "\(name)"}}}
      """)
  }

  @Test("decodes objects")
  func objects() throws {
    let source = """
      {"a": {"title": "Hi", "count": 3.0, "small": 255, "share": 0.5, "style": "loud", "links": [{"url": "x"}],
        "more": {"m": 1}, "none": null}}
      """
    let fallback = Banner(title: "", count: 0, small: nil, share: 0, style: .plain, links: [], more: [:], none: nil)
    let result = try document(source, default: "a").evaluate(FlagKey("flag", default: fallback), in: FlagAttributes())
    let expected = Banner(
      title: "Hi", count: 3, small: 255, share: 0.5, style: .loud, links: [.init(url: "x")], more: ["m": 1], none: nil)
    #expect(result == FlagEvaluation(value: expected, variant: "a", reason: .static))
    let breaks = [
      ("3.0", "3.5"), ("255", "256"), ("loud", "lewd"), ("url", "uri"), ("\"Hi\"", "null"), ("{\"m\": 1}", "[]"),
    ]
    for (valid, broken) in breaks {
      let text = source.replacingOccurrences(of: valid, with: broken)
      let mismatch = try document(text, default: "a").evaluate(FlagKey("flag", default: fallback), in: FlagAttributes())
      #expect(mismatch.errorCode == .typeMismatch && mismatch.value == fallback, "\(broken)")
    }
  }

  @Test("decodes enumerations, and types of one value")
  func singleValues() throws {
    let document = try document(#"{"a": "loud", "b": 7}"#, default: "a")
    let key = FlagKey("flag", default: Banner.Style.plain)
    #expect(document.evaluate(key, in: FlagAttributes()).value == .loud)
    let small = try self.document(#"{"b": 7}"#, default: "b")
    #expect(small.evaluate(FlagKey("flag", default: UInt8(0)), in: FlagAttributes()).value == 7)
    #expect(small.evaluate(FlagKey("flag", default: Float(0)), in: FlagAttributes()).value == 7)
    #expect(small.evaluate(FlagKey("flag", default: FlagValue.null), in: FlagAttributes()).value == 7)
    #expect(small.evaluate(FlagKey("flag", default: Optional("x")), in: FlagAttributes()).value == "x")
  }

  @Test("decodes nested containers as a decoder of JSON does")
  func containers() throws {
    struct Walk: Decodable {
      enum Key: CodingKey { case list, inner, missing }
      var steps: [String] = []

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        steps.append("\(container.contains(.missing)) \(try container.decodeNil(forKey: .inner))")
        var list = try container.nestedUnkeyedContainer(forKey: .list)
        steps.append("\(list.count ?? -1)")
        steps.append("\(try list.decodeNil()) \(try list.decode(Int.self))")
        steps.append("\(try list.nestedContainer(keyedBy: Key.self).decode(Int.self, forKey: .list))")
        var inner = try list.nestedUnkeyedContainer()
        steps.append("\(try inner.decode(String.self)) \(inner.isAtEnd)")
        steps.append("\(try Int(from: list.superDecoder())) \(list.isAtEnd)")
        steps.append(
          "\((try? list.decode(Int.self)) == nil) \((try? container.decode(Int.self, forKey: .missing)) == nil)")
        steps.append("\(try container.nestedContainer(keyedBy: Key.self, forKey: .inner).allKeys)")
      }
    }
    let value = try FlagValue(json: #"{"list": [null, 1, {"list": 2}, ["a"], 3], "inner": {"list": 0, "x": 1}}"#)
    #expect(
      try FlagValueDecoder.decode(Walk.self, from: value).steps == [
        "false false", "5", "true 1", "2", "a true", "3 true", "true true",
        "[Key(stringValue: \"list\", intValue: nil)]",
      ])
  }

  @Test("prints evaluations")
  func descriptions() throws {
    let document = try document(#"{"on": true}"#, default: "on")
    #expect("\(document.evaluate(FlagKey("flag", default: false), in: FlagAttributes()))" == "on = true (STATIC)")
    #expect(
      "\(document.evaluate(FlagKey("flog", default: false), in: FlagAttributes()))"
        == "false (ERROR, FLAG_NOT_FOUND: the document has no flag \"flog\")")
  }
}
