import Plug
import PlugOperations
import Synchronization
import TestSupport
import Testing

/// A service of a random graph, with dependencies by its factory and by its configuration.
private final class Node: Sendable {
  let name: Int
  let needs: [Node]
  let isConfigured = Atomic(false)
  private let links = Locked<[Node]>([])

  init(_ name: Int, _ needs: [Node]) {
    self.name = name
    self.needs = needs
  }

  func link(_ other: Node) { links.withLock { $0.append(other) } }

  /// Collects the reachable nodes.
  func collect(_ found: inout [Node]) {
    if found.contains(where: { $0 === self }) { return }
    found.append(self)
    for other in needs + links.current { other.collect(&found) }
  }
}

/// The description of a random graph.
private struct Plan: Sendable, CustomStringConvertible {
  struct Service: Sendable {
    /// The services that the factory gets, and the ones that the configuration gets.
    let needs: [Int]
    let links: [Int]
    let isConfigured: Bool
    let lifetime: Lifetime
    let isLoaded: Bool
    /// The number of failures of making and of configuring, in six attempts.
    let failures: Int
  }

  let services: [Service]
  /// The services that each thread gets, one after another.
  let requests: [[Int]]
  let isSealed: Bool
  let isScope: Bool

  var description: String {
    let services = services.enumerated().map { index, service in
      "\(index): \(service.lifetime) needs \(service.needs) links \(service.links)"
        + (service.isConfigured ? ", configured" : "") + (service.failures > 0 ? ", failing" : "")
    }
    return (services + ["requests \(requests)", isSealed ? "sealed" : "open"]).joined(separator: "\n")
  }

  init(_ random: inout SplitMix64, threads: Int) {
    let count = Int.random(in: 2...7, using: &random)
    let isFailing = Int.random(in: 0..<3, using: &random) == 0
    let isScope = Int.random(in: 0..<3, using: &random) == 0
    services = (0..<count).map { index in
      let links = (0..<count).filter { $0 != index && Int.random(in: 0..<3, using: &random) == 0 }
      let lifetimes: [Lifetime] =
        isScope
        ? [.scoped, .scoped, .graph, .factory] : [.lazySingleton, .lazySingleton, .weakSingleton, .graph, .factory]
      let lifetime = lifetimes[Int.random(in: 0..<lifetimes.count, using: &random)]
      return Service(
        needs: (index + 1..<max(count, index + 1)).filter { _ in Int.random(in: 0..<3, using: &random) == 0 },
        // A cycle of services that are made for each request has no end.
        links: lifetime == .lazySingleton || lifetime == .scoped ? links : [],
        isConfigured: Bool.random(using: &random), lifetime: lifetime, isLoaded: false,
        failures: isFailing ? Int.random(in: 0..<2, using: &random) : 0)
    }
    requests = (0..<threads).map { _ in (0..<3).map { _ in Int.random(in: 0..<count, using: &random) } }
    isSealed = Bool.random(using: &random)
    self.isScope = isScope
  }
}

private final class Subject: Sendable {
  let plan: Plan
  let root = Injector("graph")
  let asked: Injector

  init(_ plan: Plan) throws {
    self.plan = plan
    for (index, service) in plan.services.enumerated() {
      let tries = Counter()
      let isConfigured = service.isConfigured || !service.links.isEmpty
      let make: @Sendable (Injector) throws -> Node = { injector in
        let number = tries.increment()
        pause(number &* 131 % 200)
        if service.failures > 0, number % 6 == 0 { throw Failure() }
        let node = Node(index, try service.needs.map { try injector.get(Node.self, tag: .number($0)) })
        if !isConfigured { node.isConfigured.store(true, ordering: .releasing) }
        return node
      }
      var injection: Injection<Node> =
        switch service.lifetime {
        case .weakSingleton: .weakSingleton(make)
        case .scoped: .scoped(make)
        case .graph: .graph(make)
        case .factory: .factory(make)
        default: .lazySingleton(make)
        }
      if isConfigured {
        injection = injection.configure { node, injector in
          if service.failures > 0, tries.value % 5 == 0 { throw Failure() }
          for link in service.links { node.link(try injector.get(Node.self, tag: .number(link))) }
          node.isConfigured.store(true, ordering: .releasing)
        }
      }
      try root.register(tag: .number(index), injectable: injection)
    }
    if plan.isSealed { try root.seal() }
    asked = plan.isScope ? root.makeScope("asked") : root
  }

  /// The instance that a thread gets, with all reachable ones, and the faults found in them.
  func outcome(of thread: Int) -> (nodes: [Node], problems: [String]) {
    var nodes: [Node] = []
    var problems: [String] = []
    for index in plan.requests[thread] {
      do throws(InjectorError) {
        var found: [Node] = []
        try asked.get(Node.self, tag: .number(index)).collect(&found)
        let unfinished = found.filter { !$0.isConfigured.load(ordering: .acquiring) }
        problems += unfinished.map { "\($0.name) is unfinished, seen from \(index)" }
        nodes += found
      } catch .constructionFailed where plan.services.contains(where: { $0.failures > 0 }) {
      } catch {
        problems.append("\(error)")
      }
    }
    return (nodes, problems)
  }

  /// The services that should have one instance, and of which threads have seen several.
  func duplicates(in nodes: [Node]) -> [Int] {
    plan.services.indices.filter { index in
      let lifetime = plan.services[index].lifetime
      let isKept = lifetime == .lazySingleton || lifetime == .scoped
      return isKept && Set(nodes.filter { $0.name == index }.map(ObjectIdentifier.init)).count > 1
    }
  }
}

@Suite("Random graphs", .serialized)
struct RandomGraphs {
  @Test("show threads no unfinished instance, and one instance of each shared service", arguments: [1, 2, 4])
  func threads(_ threads: Int) throws {
    try race(threads: threads, rounds: 2_000) { round in
      var random = SplitMix64(seed: UInt64(round + threads * 1_000_000))
      return try Subject(Plan(&random, threads: threads))
    } body: { (subject: Subject, thread: Int) in
      subject.outcome(of: thread)
    } check: { subject, outcomes in
      #expect(outcomes.flatMap(\.problems) == [], "\(subject.plan)")
      #expect(subject.duplicates(in: outcomes.flatMap(\.nodes)) == [], "\(subject.plan)")
    }
  }
}

extension Injector.Tag {
  fileprivate static func number(_ number: Int) -> Self { Self(rawValue: "\(number)") }
}
