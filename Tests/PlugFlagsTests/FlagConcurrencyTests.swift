import Testing

@testable import PlugFlags

@Suite("A document on several threads")
struct FlagConcurrencyTests {
  @Test("gives each the same results")
  func threads() async throws {
    let document = try document(
      #"{"if": [{"some": [{"var": "tags"}, {"==": [{"var": ""}, "vip"]}]}, {"fractional": [["on"], ["off"]]}, "off"]}"#)
    let contexts = (0..<500).map { number in
      FlagAttributes(targetingKey: "\(number)", ["tags": number.isMultiple(of: 2) ? ["a", "vip"] : ["a"]])
    }
    let expected = contexts.map { document.evaluate("flag", in: $0) }
    #expect(Set(expected.map(\.variant)) == ["on", "off"])
    let results = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<20).allSatisfy { _ in contexts.map { document.evaluate("flag", in: $0) } == expected }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == Array(repeating: true, count: 8))
  }
}
