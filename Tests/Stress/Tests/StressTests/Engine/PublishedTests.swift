import TestSupport
import Testing

@testable import Plug

@Suite("A published value", .repeatable, .serialized)
struct PublishedTests {
  private final class Holder: Sendable {
    let published = Published()

    deinit { published.destroy(Instance.self) }
  }

  @Test("is the first that was set, for all threads, and goes with its owner", arguments: [2, 8])
  func race(threads: Int) throws {
    weak var last: Instance?
    try TestSupport.race(threads: threads) { _ in
      Holder()
    } body: { holder, thread in
      holder.published.firstPublished(Instance("\(thread)"))
    } check: { holder, values in
      let winner = unsafe holder.published.pointer(to: Instance.self)?.pointee
      #expect(values.count == threads && values.allSatisfy { $0 === winner })
      last = winner
    }
    let holder = Holder()
    #expect(unsafe holder.published.pointer(to: Instance.self) == nil)
    last = holder.published.firstPublished(Instance())
    #expect(last != nil)
    _ = consume holder
    #expect(last == nil)
  }
}
