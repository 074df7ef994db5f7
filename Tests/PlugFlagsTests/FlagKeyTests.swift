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

  @Test("prints evaluations")
  func descriptions() throws {
    let document = try document(#"{"on": true}"#, default: "on")
    #expect("\(document.evaluate(FlagKey("flag", default: false), in: FlagAttributes()))" == "on = true (STATIC)")
    #expect(
      "\(document.evaluate(FlagKey("flog", default: false), in: FlagAttributes()))"
        == "false (ERROR, FLAG_NOT_FOUND: the document has no flag \"flog\")")
  }
}
