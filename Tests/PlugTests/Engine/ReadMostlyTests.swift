import TestSupport
import Testing

@testable import Plug

@Suite("A value that is replaced seldom", .serialized)
struct ReadMostlyTests {
  private final class Holder: Sendable {
    let trackeds = ReadMostly<[Tracked]>()

    func add(_ tracked: Tracked) { trackeds.update(from: []) { $0.append(tracked) } }
  }

  private final class Endings: Sendable {
    let endings = ReadMostly<[Ending]>()
  }

  /// Says when it goes.
  private final class Ending: Sendable {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) {
      self.tell = tell
    }

    deinit { tell() }
  }

  @Test("is nothing at first, then what it was replaced with, and goes with its owner")
  func owner() {
    let living = LivingCount()
    let holder = Holder()
    #expect(holder.trackeds.value == nil)
    holder.add(Tracked(living))
    let result = holder.trackeds.update(from: []) { trackeds in
      trackeds.append(Tracked(living))
      return trackeds.count
    }
    #expect(result == 2 && holder.trackeds.value?.count == 2 && living.current == 2)
    _ = consume holder
    #expect(living.current == 0)
  }

  @Test("may be replaced by what goes when it is replaced")
  func reentrant() {
    let (holder, log) = (Endings(), Log())
    holder.endings.update(from: []) { endings in
      endings = [
        Ending { [weak holder] in
          log.add("first, of \(holder?.endings.value?.count ?? -1)")
          holder?.endings.update(from: []) { $0 = [Ending { log.add("second") }] }
        }
      ]
    }
    holder.endings.update(from: []) { $0 = [] }
    #expect(log.lines == ["first, of 0"])
    _ = consume holder
    #expect(log.lines == ["first, of 0", "second"])
  }
}
