import TestSupport
import Testing

@testable import Plug

/// A random graph of asynchronous services without cycles.
private struct Plan {
  let needs: [[Int]]
  let delays: [Int]

  init(_ count: Int, using generator: inout SplitMix64) {
    needs = (0..<count).map { node in
      (0..<node).filter { _ in Int.random(in: 0..<10, using: &generator) == 0 }
    }
    delays = (0..<count).map { _ in Int.random(in: 1...100_000, using: &generator) }
  }

  /// The time at which each service is ready, if as many as possible are made at the same time.
  var ends: [Int] {
    needs.indices.reduce(into: []) { ends, node in
      ends.append((needs[node].map { ends[$0] }.max() ?? 0) + delays[node])
    }
  }

  /// The number of services that are ready after a time.
  func ready(at time: Int) -> Int { ends.count { $0 <= time } }

  /// The number of services that are being made after a time.
  func running(at time: Int) -> Int {
    zip(ends, delays).count { end, delay in end - delay <= time && time < end }
  }
}

private struct Node: Sendable {
  let number: Int
}

extension Injector.Tag {
  fileprivate static func number(_ number: Int) -> Self { Self(rawValue: "\(number)") }
}

private struct Planted: Error {}

/// An injector with the services of a plan.
private struct Site {
  let plan: Plan
  let injector = Injector()
  let clock = TestClock()
  let log = Log()

  init(_ plan: Plan, failing: @escaping @Sendable (Int) -> Bool = { _ in false }) throws {
    self.plan = plan
    for node in plan.needs.indices {
      let (log, clock, needs, delay) = (log, clock, plan.needs[node], plan.delays[node])
      try injector.register(
        as: Node.self, tag: .number(node),
        injectable: .lazySingleton { injector in
          for need in needs { _ = try await injector.load(Node.self, tag: .number(need)) }
          log.add("begin \(node)")
          try await clock.sleep(for: .microseconds(delay))
          if failing(node) { throw Planted() }
          log.add("end \(node)")
          return Node(number: node)
        }.onClose { log.add("close \($0.number)") })
    }
  }

  /// Starts the injector, and advances the clock whenever all services have begun that can.
  ///
  /// - Parameter patience: How often other tasks run before the clock advances although a service has not begun.
  func start(patience: Int = 20_000) async throws {
    let task = Task { try await injector.start() }
    let isOver = Latch()
    let ending = Task {
      _ = await task.result
      isOver.open()
    }
    let begin = clock.now
    var turns = 0
    while !isOver.isOpen {
      let time = Int(begin.duration(to: clock.now) / .microseconds(1))
      // If some service that can begin does not, the clock advances nevertheless, and the start takes longer.
      let isBusy = clock.sleeperCount >= max(1, plan.running(at: time)) && readyCount >= plan.ready(at: time)
      if isBusy || turns > patience {
        clock.advance()
        turns = 0
      } else {
        turns += 1
      }
      await Task.yield()
    }
    await ending.value
    try await task.value
  }

  private var readyCount: Int { injector.state.withLock { $0.cells.count { $0.published.box != nil } } }

  /// Whether each of the given nodes precedes its dependencies.
  func isReversed(_ nodes: [Int]) -> Bool {
    nodes.indices.allSatisfy { index in plan.needs[nodes[index]].allSatisfy { !nodes[..<index].contains($0) } }
  }

  func lines(_ kind: String) -> [Int] {
    log.lines.compactMap { line in
      line.hasPrefix(kind) ? Int(line.dropFirst(kind.count + 1)) : nil
    }
  }
}

@Suite("Start", .repeatable, .timeLimit(.minutes(10)))
struct StartTests {
  @Test("makes services after their dependencies, and independent ones at the same time")
  func order() async throws {
    try await Rounds.run(5) { round in
      var generator = round.random
      let site = try Site(Plan(40, using: &generator))
      try site.injector.seal()
      try await site.start()
      let lines = site.log.lines
      for (node, needs) in site.plan.needs.enumerated() {
        let begin = try #require(lines.firstIndex(of: "begin \(node)"))
        #expect(needs.allSatisfy { lines.firstIndex(of: "end \($0)").map { $0 < begin } == true })
        #expect(try site.injector.get(Node.self, tag: .number(node)).number == node)
      }
      let critical = try #require(site.plan.ends.max())
      #expect(site.clock.now.offset <= .microseconds(critical) * 1.1)
      #expect(site.lines("end").sorted() == Array(0..<40))
      await site.injector.close()
      let closed = site.lines("close")
      #expect(closed.sorted() == Array(0..<40))
      #expect(site.isReversed(closed))
    }
  }

  @Test("keeps the instances made before a failure, and the next start makes the rest")
  func failure() async throws {
    try await Rounds.run(5) { round in
      var generator = round.random
      let plan = Plan(40, using: &generator)
      let planted = Int.random(in: 0..<40, using: &generator)
      let failures = Counter()
      let site = try Site(plan) { node in node == planted && failures.increment() == 1 }
      if round.number.isMultiple(of: 2) { try site.injector.seal() }
      let error = await #expect(throws: InjectorError.self) { try await site.start(patience: 200) }
      guard case .constructionFailed(let facts, let underlying) = try #require(error) else { throw try #require(error) }
      #expect(underlying is Planted)
      #expect(facts.tag == "\(planted)")
      let made = site.lines("end")
      #expect(site.lines("close") == [])
      #expect(!made.contains(planted))
      for node in made { #expect(try site.injector.get(Node.self, tag: .number(node)).number == node) }
      try await site.start(patience: 200)
      for node in 0..<40 { #expect(try site.injector.get(Node.self, tag: .number(node)).number == node) }
      #expect(site.lines("end").sorted() == Array(0..<40))
      await site.injector.close()
      let closed = site.lines("close")
      #expect(closed.sorted() == Array(0..<40))
      #expect(site.isReversed(closed))
    }
  }
}
