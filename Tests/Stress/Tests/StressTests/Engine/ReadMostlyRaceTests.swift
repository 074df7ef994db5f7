import TestSupport
import Testing

@testable import Plug

@Suite("A value that is replaced seldom under several threads", .repeatable, .serialized)
struct ReadMostlyRaceTests {
  private final class Holder: Sendable {
    let trackeds = ReadMostly<[Tracked]>()

    func add(_ tracked: Tracked) { trackeds.update(from: []) { $0.append(tracked) } }

    func remove(_ tracked: Tracked) { trackeds.update(from: []) { all in all.removeAll { $0 === tracked } } }
  }

  @Test("loses nothing that several threads add, and shows nobody what is gone", arguments: [2, 8])
  func race(threads: Int) throws {
    let living = LivingCount()
    try TestSupport.race(threads: threads) { _ in
      Holder()
    } body: { holder, thread in
      let (staying, going) = (Tracked(living), Tracked(living))
      holder.add(staying)
      holder.add(going)
      let isSeen = holder.trackeds.value?.contains { $0 === staying } ?? false
      holder.remove(going)
      let isGone = holder.trackeds.value?.contains { $0 === going } == false
      return isSeen && isGone
    } check: { holder, outcomes in
      #expect(outcomes.allSatisfy { $0 })
      #expect(holder.trackeds.value?.count == threads && living.current == threads)
      holder.trackeds.update(from: []) { $0 = [] }
      #expect(living.current == 0)
    }
  }
}
