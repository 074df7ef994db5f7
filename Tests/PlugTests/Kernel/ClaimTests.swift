import TestSupport
import Testing

@testable import Plug

extension Cell.Turn {
  fileprivate var name: String {
    switch self {
    case .make: "make"
    case .take: "take"
    case .wait: "wait"
    case .gone: "gone"
    }
  }

  fileprivate var box: AnyBox? { if case .take(let box) = self { box } else { nil } }
}

@Suite("A claim of a cell")
struct ClaimTests {
  private func makeCell(maker: UInt = 0) -> Cell {
    let recipe = Injection<Instance>.lazySingleton { Instance() }.definition.recipe
    return Cell(Registration(Key(Instance.self), .lazySingleton, recipe, depth: 0, location: .unknown), maker: maker)
  }

  @Test("belongs to one maker, and another one waits for it")
  func turns() {
    let cell = makeCell()
    #expect(cell.turn(for: 1).name == "make")
    #expect(cell.turn(for: 2).name == "wait")
    #expect(cell.claim.withLock { $0.maker } == 1)
  }

  @Test("is not ended by a maker whose attempt is over")
  func failedByAnother() {
    let (cell, waiter) = (makeCell(maker: 1), Waiter())
    cell.claim.withLock { $0.rare.orMade.waiters.append(waiter) }
    cell.fail(.look, by: 2)
    #expect(cell.claim.withLock { $0.maker } == 1)
    #expect(!waiter.isTold)
    cell.fail(.look, by: 1)
    #expect(cell.claim.withLock { $0.maker } == nil)
    #expect(waiter.isTold)
  }

  @Test("keeps its instance for its maker until it is published")
  func constructed() {
    let (cell, box, injector) = (makeCell(maker: 1), Box(Instance()), Injector())
    cell.claim.withLock { $0.construct(box) }
    #expect(cell.turn(for: 1).box === box)
    #expect(cell.turn(for: 2).name == "wait")
    #expect(cell.publish(box, in: injector))
    #expect(cell.turn(for: 2).box === box)
  }

  @Test("passes to another maker from its own maker only")
  func transferred() {
    let cell = makeCell(maker: 1)
    cell.claim.withLock { $0.construct(Box(Instance())) }
    cell.claim.withLock { $0.transfer(from: 3, to: 2) }
    #expect(cell.claim.withLock { $0.maker } == 1)
    cell.claim.withLock { $0.transfer(from: 1, to: 2) }
    #expect(cell.claim.withLock { $0.maker } == 2)
  }

  @Test("that is retired twice gives its instance to close once")
  func retiredTwice() {
    let cell = makeCell(maker: 1)
    cell.publish(Box(Instance()), in: Injector())
    #expect(cell.claim.withLock { [$0.retire(isHandedIn: false), $0.retire(isHandedIn: false)] } == [true, false])
    #expect(cell.turn(for: 2).name == "gone")
  }

  @Test("that was given an instance has it closed once")
  func givenRetiredTwice() {
    let cell = makeCell()
    #expect(cell.claim.withLock { [$0.retire(isHandedIn: true), $0.retire(isHandedIn: true)] } == [true, false])
  }

  @Test("gives up the task of its load when all waiters have been told, and looks at each once")
  func abandoned() {
    let (cell, task) = (makeCell(maker: 1), Task<Void, Never> {})
    let waiters = (0..<4).map { _ in Waiter() }
    cell.claim.withLock { claim in
      claim.rare.orMade.task = task
      claim.rare.orMade.waiters = waiters
    }
    func isAbandoned() -> Bool { cell.claim.withLock { $0.abandoned().task != nil } }
    for place in [1, 0, 2] {
      waiters[place].wake(.cancelled)
      #expect(!isAbandoned())
    }
    #expect(cell.claim.withLock { [$0.waiters.count, $0.rare?.told ?? 0] } == [1, 0])
    waiters[3].wake(.cancelled)
    #expect(isAbandoned())
    #expect(cell.claim.withLock { $0.waiters.isEmpty })
  }

  @Test("that is retired while the instance is made leaves the closing to the maker")
  func retiredMeanwhile() {
    let (cell, waiter) = (makeCell(maker: 1), Waiter())
    cell.claim.withLock { $0.rare.orMade.waiters.append(waiter) }
    #expect(cell.claim.withLock { $0.retire(isHandedIn: false) } == false)
    #expect(!cell.publish(Box(Instance()), in: Injector()))
    #expect(waiter.isTold)
  }

  @Test("counts its attempts, so that a wait for an earlier one leads nowhere")
  func attempts() {
    let cell = makeCell()
    for maker in 1...3 as ClosedRange<UInt> {
      _ = cell.turn(for: maker)
      #expect(cell.claim.withLock { $0.attempt } == UInt32(maker))
      cell.fail(.look, by: maker)
    }
  }
}

@Suite("A wait in the graph of waits")
struct WaitGraphTests {
  @Test("for an attempt that has ended leads nowhere, although its maker has begun another one")
  func endedAttempt() throws {
    let registration = Registration(
      Key(Instance.self), .lazySingleton, AnyRecipe.unused, depth: 0, location: .unknown)
    let (first, second) = (Work.makeID(), Work.makeID())
    let (cell, own, injector) = (Cell(registration, maker: first), Cell(registration, maker: second), Injector())
    let (earlier, later) = (Waiter(), Waiter())
    let (asker, maker) = (Work(second, trail: [], ownerDepth: 0), Work(first, trail: [], ownerDepth: 0))
    defer { for work in [asker, maker] { work.end() } }
    #expect(WaitGraph.enrol(earlier, for: cell, Asker(asker), injector))
    cell.claim.withLock { claim in
      _ = claim.fail(by: first, isLast: false)
      claim.begin(by: first)
    }
    // The waiter has not been told yet. Its edge is not part of a cycle.
    #expect(WaitGraph.enrol(later, for: own, Asker(maker), injector))
    #expect(!later.isTold)
    WaitGraph.leave(earlier, Asker(asker))
    WaitGraph.leave(later, Asker(maker))
  }
}
