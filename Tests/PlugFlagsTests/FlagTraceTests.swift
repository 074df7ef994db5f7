import Foundation
import Testing

@testable import PlugFlags

@Suite("An explanation")
struct FlagTraceTests {
  @Test("shows every operand that was looked at, and the result")
  func operands() throws {
    let document = try document(
      """
      {"if": [{"and": [{"in": [{"var": "country"}, ["DE", "AT"]]}, {"sem_ver": [{"var": "version"}, ">=", "2.0"]}]},
      {"fractional": [["on", 25], ["off", 75]]}, {"$ref": "never"}]}
      """.replacingOccurrences(of: "{\"$ref\": \"never\"}", with: "\"off\""))
    let context: FlagAttributes = ["country": "DE", "version": "2.1.0", "targetingKey": "p-17"]
    #expect(
      "\(document.explain("flag", in: context))" == """
        flag "flag": on = "on" (TARGETING_MATCH)
          if: "on"
            and: true
              in: true
                var country: "DE"
                ["DE","AT"]
              sem_ver: true
                var version: "2.1.0"
                ">="
                "2.0"
            fractional: "on" (bucket 17 of 100, v2)
              ["on",25]
              ["off",75]
        """)
    #expect(
      "\(document.explain("flag", in: ["country": "FR"] as FlagAttributes))" == """
        flag "flag": off = "off" (TARGETING_MATCH)
          if: "off"
            and: false
              in: false
                var country: "FR"
                ["DE","AT"]
            "off"
        """)
  }

  @Test("shows flags without targeting, and errors")
  func others() throws {
    let document = try document("{}")
    #expect("\(document.explain("flag", in: FlagAttributes()))" == "flag \"flag\": off = \"off\" (STATIC)")
    #expect(
      "\(document.explain("none", in: FlagAttributes()))"
        == "flag \"none\": the caller's default (ERROR, FLAG_NOT_FOUND: the document has no flag \"none\")")
  }

  @Test("shows the evaluation for each element, and is Codable")
  func elements() throws {
    let document = try document(#"{"if": [{"some": [{"var": "tags"}, {"==": [{"var": ""}, "b"]}]}, "on", "off"]}"#)
    let trace = try #require(document.explain("flag", in: ["tags": ["a", "b", "c"]] as FlagAttributes).targeting)
    #expect(
      "\(trace)" == """
        if: "on"
          some: true
            var tags: ["a","b","c"]
            ==: false
              var: "a"
              "b"
            ==: true
              var: "b"
              "b"
          "on"
        """)
    #expect(try JSONDecoder().decode(FlagTrace.self, from: JSONEncoder().encode(trace)) == trace)
  }
}
