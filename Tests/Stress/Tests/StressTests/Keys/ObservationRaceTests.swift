import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private final class Seen: Sendable {
  private let state = Locked<[Int]>([])

  var values: [Int] { state.withLock { $0.map(\.self) } }

  func add(_ value: Int) { state.withLock { $0.append(value) } }
}

@Suite("Observing a property under several threads", .repeatable, .serialized)
struct ObservationRaceTests {
  @Test("shows each of four observers the values in order, up to the last, while eight threads set")
  func race() throws {
    try TestSupport.race(threads: 8) { _ in
      let injector = Injector()
      let seen = (0..<4).map { _ in Seen() }
      let tokens = seen.map { seen in injector.observe(Version.self) { seen.add($0) } }
      return (injector, seen, tokens)
    } body: { subject, _ in
      for _ in 0..<10 { subject.0.update(Version.self) { $0 += 1 } }
    } check: { subject, _ in
      #expect(subject.0[Version.self] == 80)
      for seen in subject.1 {
        #expect(seen.values.last == 80)
        #expect(seen.values == Array(Set(seen.values)).sorted())
      }
    }
  }
}
