import TestSupport
import Testing

@testable import Plug

private final class Detail: Sendable {
  let number: Int

  init(_ number: Int) {
    self.number = number
  }
}

/// Repeated requests with arguments take a shorter path. No caller may see a difference.
@Suite("Repeated requests with arguments under several threads", .repeatable)
struct RepeatedArgumentsRaceTests {
  @Test("Each of eight threads gets the instances for its own arguments")
  func race() throws {
    try TestSupport.race(threads: 8) { _ in
      let injector = Injector()
      try injector.register([Int].self, taking: Int.self) { number, _ in [number] }
      return injector
    } body: { (injector: Injector, thread) in
      (0..<3).map { (try? injector.get([Int].self, with: thread * 3 + $0)) ?? [] }
    } check: { _, outcomes in
      #expect(outcomes == (0..<8).map { thread in (0..<3).map { [thread * 3 + $0] } })
    }
  }

  @Test("Eight threads get one instance for equal arguments once it is made, whatever the hash values")
  func failingRace() throws {
    try TestSupport.race(
      threads: 8,
      makeSubject: { _ in
        let injector = Injector()
        let attempts = (0..<3).map { _ in Counter() }
        try injector.register(Detail.self, taking: Colliding.self, lifetime: .lazySingleton) { value, _ in
          if attempts[value.number].increment() == 1 { throw Failure() }
          return Detail(value.number)
        }
        return injector
      },
      body: { injector, thread in
        (0..<3).map { _ in try? injector.get(Detail.self, with: Colliding(number: thread % 3)) }
      },
      check: { (injector: Injector, outcomes: [[Detail?]]) in
        for (thread, details) in outcomes.enumerated() {
          let kept = try injector.get(Detail.self, with: Colliding(number: thread % 3))
          #expect(kept.number == thread % 3 && details.last.flatMap(\.self) === kept)
          for detail in details.compactMap(\.self) { #expect(detail === kept) }
        }
      })
  }
}
