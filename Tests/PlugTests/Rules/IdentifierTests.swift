import Plug
import Testing

private struct User: Sendable { let id: String }

@Suite("A rollout")
struct IdentifierTests {
  @Test("puts equal identifiers in one bucket, however they are composed")
  func normalized() {
    let rule = Rule<User>.rollout(50, of: "search", by: \.id)
    let composed = (0..<100).map { rule.evaluate(in: User(id: "caf\u{E9} \($0)")) }
    let decomposed = (0..<100).map { rule.evaluate(in: User(id: "cafe\u{301} \($0)")) }
    #expect(composed == decomposed)
    #expect(Set(composed).count == 2)
  }

  @Test("hashes the bytes of an identifier with the algorithms of other programs")
  func bytes() {
    let composed = (0..<200).map { User(id: "caf\u{E9} \($0)") }
    let decomposed = (0..<200).map { User(id: "cafe\u{301} \($0)") }
    for hashing in [RolloutHashing.flagd, .unleash] {
      let rule = Rule<User>.rollout(50, of: "search", by: \.id, hashing: hashing)
      #expect(composed.map { rule.evaluate(in: $0) } != decomposed.map { rule.evaluate(in: $0) })
    }
  }
}
