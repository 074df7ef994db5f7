import Foundation
import TestSupport
import Testing

@testable import Plug

@Suite("A value that many threads change", .repeatable, .serialized)
struct ContendedTests {
  private struct Refused: Error {}

  @Test("is changed by one at a time", arguments: [2, 8])
  func race(threads: Int) throws {
    try TestSupport.race(threads: threads) { _ in
      SharedLines()
    } body: { (lines: SharedLines, thread) in
      for turn in 0..<50 { lines.value.withLock { $0 = $0.adding(["\(thread) \(turn)"]) } }
    } check: { lines, _ in
      let all = lines.value.withLock { $0 }
      for thread in 0..<threads {
        #expect(all.filter { $0.hasPrefix("\(thread) ") } == (0..<50).map { "\(thread) \($0)" })
      }
    }
  }

  @Test("is waited for however long one has it, also after one who throws", arguments: [2, 8])
  func longTurn(threads: Int) throws {
    try TestSupport.race(threads: threads) { _ in
      (SharedLines(), Rendezvous(threads))
    } body: { subject, thread -> [String] in
      let (lines, rendezvous) = subject
      if thread > 0 {
        rendezvous.meet()
        return lines.value.withLock { $0 }
      }
      lines.value.withLock { value in
        rendezvous.meet()
        Thread.sleep(forTimeInterval: 0.005)
        value = ["late"]
      }
      return ["late"]
    } check: { subject, seen in
      #expect(seen == Array(repeating: ["late"], count: threads))
      #expect(throws: Refused.self) { try subject.0.value.withLock { _ in throw Refused() } }
      #expect(subject.0.value.withLock { $0 } == ["late"])
    }
  }
}

private final class SharedLines: Sendable {
  let value = Contended<[String]>([])
}
