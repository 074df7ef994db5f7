import Plug
import PlugOperations
import TestSupport

protocol Digit: Sendable {}
enum D0: Digit {}
enum D1: Digit {}
enum D2: Digit {}
enum D3: Digit {}
enum D4: Digit {}
enum D5: Digit {}

/// A service that differs from others only by its number.
protocol Numbered: AnyObject, Sendable { init() }
final class Number<A: Digit, B: Digit, C: Digit>: Numbered {}

/// Services with random lifetimes and dependencies, and with faults that are planted on purpose.
struct RandomGraph {
  enum Form: CaseIterable {
    case wired, declared, closure
  }

  struct Node {
    let type: any Numbered.Type
    var lifetime: Lifetime
    var form: Form
    var targets: [Int] = []
    var isRegistered = true
  }

  private(set) var nodes: [Node] = []

  /// 216 different types.
  private static let types: [any Numbered.Type] = {
    let digits: [any Digit.Type] = [D0.self, D1.self, D2.self, D3.self, D4.self, D5.self]
    var types: [any Numbered.Type] = []
    for a in digits { for b in digits { for c in digits { types.append(number(a, b, c)) } } }
    return types
  }()

  private static func number<A: Digit, B: Digit, C: Digit>(
    _: A.Type, _: B.Type, _: C.Type
  ) -> any Numbered.Type {
    Number<A, B, C>.self
  }

  /// A graph without faults: every edge leads to a later service, and no kept service reaches a scoped one.
  init(forms: [Form], using random: inout SplitMix64) {
    let count = Int.random(in: 2...200, using: &random)
    let lifetimes: [Lifetime] = [.lazySingleton, .lazySingleton, .weakSingleton, .scoped, .graph, .factory]
    nodes = Self.types.shuffled(using: &random).prefix(count).map { type in
      Node(
        type: type, lifetime: lifetimes.randomElement(using: &random) ?? .factory,
        form: forms.randomElement(using: &random) ?? .wired)
    }
    var exposes = Array(repeating: false, count: count)
    for index in nodes.indices.reversed() {
      let isKept = [.lazySingleton, .weakSingleton].contains(nodes[index].lifetime)
      for _ in 0..<Int.random(in: 0...2, using: &random) where index + 1 < count {
        // A target close by, so that the number of paths stays small.
        let target = Int.random(in: index + 1..<min(count, index + 40), using: &random)
        if isKept && exposes[target] || nodes[index].targets.contains(target) { continue }
        nodes[index].targets.append(target)
      }
      exposes[index] =
        nodes[index].lifetime == .scoped || !isKept && nodes[index].targets.contains { exposes[$0] }
    }
  }

  /// Removes the registration of a service that another one needs.
  mutating func plantMissing(using random: inout SplitMix64) {
    let needed = Set(nodes.flatMap(\.targets)).sorted()
    if let index = needed.randomElement(using: &random) { nodes[index].isRegistered = false }
  }

  /// Adds an edge that closes a cycle.
  mutating func plantCycle(using random: inout SplitMix64) {
    let start = Int.random(in: nodes.indices, using: &random)
    var end = start
    while let next = nodes[end].targets.randomElement(using: &random), Bool.random(using: &random) || end == start {
      end = next
    }
    addEdge(from: end, to: start)
  }

  /// Adds an edge from a kept service to a scoped one.
  mutating func plantCaptive(using random: inout SplitMix64) {
    let keepers = nodes.indices.filter { [.lazySingleton, .weakSingleton].contains(nodes[$0].lifetime) }
    guard let keeper = keepers.randomElement(using: &random) else { return }
    let scoped = nodes.indices.filter { $0 > keeper && nodes[$0].lifetime == .scoped }
    if let target = scoped.randomElement(using: &random) { addEdge(from: keeper, to: target) }
  }

  private mutating func addEdge(from: Int, to: Int) {
    if !nodes[from].targets.contains(to) && nodes[from].targets.count < 3 { nodes[from].targets.append(to) }
  }

  func name(_ index: Int) -> String { "\(nodes[index].type)" }

  /// Registers the services.
  func makeInjector() throws -> Injector {
    let injector = Injector()
    for node in nodes where node.isRegistered { try register(node.type, node, in: injector) }
    return injector
  }

  private func register<Service: Numbered>(_: Service.Type, _ node: Node, in injector: Injector) throws {
    let injection = makeInjection(Service.self, node)
    try injector.register(injectable: node.form == .declared ? declare(injection, node) : injection)
  }

  private func makeInjection<Service: Numbered>(_: Service.Type, _ node: Node) -> Injection<Service> {
    let targets = node.targets.map { nodes[$0].type }
    guard node.form == .wired else {
      let make: @Sendable (Injector) throws -> Service = { injector in
        for target in targets { try get(target, from: injector) }
        return Service()
      }
      return switch node.lifetime {
      case .weakSingleton: .weakSingleton(make)
      case .scoped: .scoped(make)
      case .graph: .graph(make)
      case .factory: .factory(make)
      case .singleton, .lazySingleton: .lazySingleton(make)
      }
    }
    return switch targets.count {
    case 0: wired(node) { () in Service() }
    case 1: wire(node, targets[0])
    case 2: wire(node, targets[0], targets[1])
    default: wire(node, targets[0], targets[1], targets[2])
    }
  }

  private func wired<Service: Numbered, each Target: Numbered>(
    _ node: Node, _ make: @escaping @Sendable (repeat each Target) throws -> Service
  ) -> Injection<Service> {
    switch node.lifetime {
    case .weakSingleton: .weakSingleton(wiring: make)
    case .scoped: .scoped(wiring: make)
    case .graph: .graph(wiring: make)
    case .factory: .factory(wiring: make)
    case .singleton, .lazySingleton: .lazySingleton(wiring: make)
    }
  }

  private func wire<Service: Numbered, A: Numbered>(_ node: Node, _: A.Type) -> Injection<Service> {
    wired(node) { (_: A) in Service() }
  }

  private func wire<Service: Numbered, A: Numbered, B: Numbered>(
    _ node: Node, _: A.Type, _: B.Type
  ) -> Injection<Service> {
    wired(node) { (_: A, _: B) in Service() }
  }

  private func wire<Service: Numbered, A: Numbered, B: Numbered, C: Numbered>(
    _ node: Node, _: A.Type, _: B.Type, _: C.Type
  ) -> Injection<Service> {
    wired(node) { (_: A, _: B, _: C) in Service() }
  }

  private func declare<Service: Numbered>(_ injection: Injection<Service>, _ node: Node) -> Injection<Service> {
    let targets = node.targets.map { nodes[$0].type }
    return switch targets.count {
    case 0: injection.dependsOnNothing
    case 1: declare(injection, targets[0])
    case 2: declare(injection, targets[0], targets[1])
    default: declare(injection, targets[0], targets[1], targets[2])
    }
  }

  private func declare<Service, A: Numbered>(_ injection: Injection<Service>, _: A.Type) -> Injection<Service> {
    injection.depends(on: A.self)
  }

  private func declare<Service, A: Numbered, B: Numbered>(
    _ injection: Injection<Service>, _: A.Type, _: B.Type
  ) -> Injection<Service> {
    injection.depends(on: A.self, B.self)
  }

  private func declare<Service, A: Numbered, B: Numbered, C: Numbered>(
    _ injection: Injection<Service>, _: A.Type, _: B.Type, _: C.Type
  ) -> Injection<Service> {
    injection.depends(on: A.self, B.self, C.self)
  }
}

func get<Service: Numbered>(_: Service.Type, from injector: Injector) throws {
  _ = try injector.get(Service.self)
}
