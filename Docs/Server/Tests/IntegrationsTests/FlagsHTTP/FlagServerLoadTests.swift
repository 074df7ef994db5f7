import Foundation
import Plug
import PlugFlags
import PlugFlagsHTTP
import PlugKeys
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct FlagServerLoadTests {
  private let services = Injector("shop")

  @Test func `Ten thousand documents replace each other whole, each in force after its poll`() async throws {
    let (host, counts) = (FlagHost { _ in .numbers(0) }, Counts())
    try await host.serving { [services] url in
      host.answer { _ in .numbers(counts.served.load(ordering: .sequentiallyConsistent)) }
      try services.register(.following(FlagServer(url, polling: host.polling())))
      try await services.start()
      let readers = (0..<8).map { _ in Thread { counts.read(services) } }
      for reader in readers { reader.start() }
      var late: [Int] = []
      for number in 1...10_000 {
        counts.served.store(number, ordering: .sequentiallyConsistent)
        await host.clock.wake(.seconds(30))
        await host.clock.sleeps(for: .seconds(30))
        if services[Flags.self].number("a") != number { late.append(number) }
      }
      counts.isDone.store(true, ordering: .sequentiallyConsistent)
      for reader in readers { while !reader.isFinished { await Task.yield() } }
      #expect(late == [])
      #expect(counts.torn.load(ordering: .relaxed) == 0)
      #expect(counts.backwards.load(ordering: .relaxed) == 0)
      await services.close()
    }
  }
}

/// What readers on other threads have seen.
private final class Counts: Sendable {
  let served = Atomic(0)
  let isDone = Atomic(false)
  let torn = Atomic(0)
  let backwards = Atomic(0)

  func read(_ services: Injector) {
    var last = 0
    while !isDone.load(ordering: .sequentiallyConsistent) {
      let document = services[Flags.self]
      let (first, second) = (document.number("a"), document.number("b"))
      if first != second { torn.add(1, ordering: .relaxed) }
      if first < last { backwards.add(1, ordering: .relaxed) }
      last = first
      sched_yield()
    }
  }
}
