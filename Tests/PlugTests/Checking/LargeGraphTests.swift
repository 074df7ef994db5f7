import TestSupport
import Testing

@testable import Plug

private final class Node: Sendable {}

/// Counts how often validation asks for the dependencies of a registration.
private final class KnowledgeCounter: DependencyHooks {
  let count = Counter()

  func knowledge(of registration: Registration) -> Knowledge? {
    count.increment()
    return nil
  }
}

@Suite("Validation of large graphs")
struct LargeGraphTests {
  private func tag(_ number: Int) -> Injector.Tag { Injector.Tag(rawValue: "\(number)") }

  /// Registers services, each of which declares some others.
  private func register(
    _ count: Int, in injector: Injector, _ injection: (Int) -> Injection<Node>, needs: (Int) -> [Int]
  ) throws {
    for number in 0..<count {
      let declared = needs(number).reduce(injection(number).dependsOnNothing) { injection, need in
        injection.depends(on: Node.self, tag: tag(need))
      }
      try injector.register(tag: tag(number), injectable: declared)
    }
  }

  @Test("follows a chain of 100,000 services on a small stack")
  func chain() {
    onThread(stack: 512 << 10) {
      do {
        let injector = Injector("chain")
        try register(100_000, in: injector) { _ in
          .factory { Node() }
        } needs: {
          $0 < 99_999 ? [$0 + 1] : []
        }
        #expect(try injector.validate().serviceCount == 100_000)
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("finds a captive dependency and a cycle at the end of a long chain, on a small stack")
  func ends() {
    onThread(stack: 512 << 10) {
      do {
        let injector = Injector("chain")
        try register(10_000, in: injector) { number in
          number == 0 ? .lazySingleton { Node() } : number == 9_999 ? .scoped { Node() } : .factory { Node() }
        } needs: { number in
          number < 9_999 ? [number + 1] : [5_000]
        }
        let error = #expect(throws: InjectorError.self) { try injector.validate() }
        guard case .invalid(_, let report) = try #require(error) else { throw try #require(error) }
        #expect(report.problems.map(\.kind) == [.circular, .captive])
        #expect(report.problems.map(\.details.count) == [5_001, 10_000])
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("asks for the dependencies of each registration once, however many services need it")
  func once() throws {
    let (injector, counter) = (Injector("grid"), KnowledgeCounter())
    Layers.install(counter, in: injector)
    // Each of the services of one row needs all of the next row, so there are 10 to the power of 20 paths.
    try register(200, in: injector) { _ in
      .factory { Node() }
    } needs: { number in
      number < 190 ? Array((number / 10 + 1) * 10..<(number / 10 + 2) * 10) : []
    }
    #expect(try injector.validate().serviceCount == 200)
    #expect(counter.count.value == 200)
  }
}
