import TestSupport
import Testing

@testable import Plug

/// An instance that a request has borrowed, and whose making another thread ends.
private struct Loan: Sendable {
  let injector = Injector()
  let cell: Cell
  let finished: Cell
  let maker = Work.makeID()
  let box = Box(Instance())
  let other = Box(Instance())
  let waiter = Waiter()
  let isBegun = Latch()

  init() {
    let registration = Registration(
      Key(Instance.self), .lazySingleton, AnyRecipe.unused, depth: 0, location: .unknown)
    (cell, finished) = (Cell(registration, maker: maker), Cell(registration, maker: maker))
    cell.claim.withLock { [box] in $0.construct(box) }
    finished.publish(other, in: injector)
  }

  func end(isPublished: Bool) {
    for _ in 0..<1_000 where !isBegun.isOpen { pause(1) }
    if isPublished { cell.publish(box, in: injector) } else { cell.fail(.look, by: maker) }
  }

  /// Begins to wait. It checks many other instances between the first and the second check of this one.
  func begin() {
    let rest = Array(repeating: Session.Borrowed(cell: finished, box: other, injector: injector), count: 300)
    isBegun.open()
    WaitGraph.begin(
      waiter, [Session.Borrowed(cell: cell, box: box, injector: injector)] + rest, Asker(nil))
  }
}

@Suite("A request that waits for the instance of another request", .repeatable, .serialized)
struct WaitGraphRaceTests {
  @Test("is notified when that instance is published or fails", arguments: [false, true])
  func end(isPublished: Bool) throws {
    try race(threads: 2) { _ in
      (0..<10).map { _ in Loan() }
    } body: { loans, thread in
      for loan in loans { if thread > 0 { loan.begin() } else { loan.end(isPublished: isPublished) } }
    } check: { loans, _ in
      for loan in loans {
        #expect(loan.waiter.isTold)
        if isPublished, loan.waiter.isTold, case .failed = loan.waiter.wait() { Issue.record("It failed.") }
      }
    }
  }
}
