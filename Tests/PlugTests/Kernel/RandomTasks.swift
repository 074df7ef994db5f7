import Plug
import PlugOperations
import Synchronization
import TestSupport
import Testing

private struct Failure: Error {}

/// An instance that records whether it was finished and closed.
private final class Part: Sendable {
  let service: Int
  let needs: [Part]
  let isClosable: Bool
  let isConfigured: Atomic<Bool>
  let closings = Atomic(0)
  private let links = Locked<[Part]>([])

  init(_ service: Int, _ needs: [Part], isClosable: Bool, isConfigured: Bool) {
    (self.service, self.needs, self.isClosable) = (service, needs, isClosable)
    self.isConfigured = Atomic(isConfigured)
  }

  func configure(_ others: [Part]) {
    links.withLock { $0 += others }
    isConfigured.store(true, ordering: .releasing)
  }

  func collect(_ found: inout [Part]) {
    if found.contains(where: { $0 === self }) { return }
    found.append(self)
    for other in needs + links.current { other.collect(&found) }
  }
}

/// Services that tasks get, load, replace, decorate, reset and close at the same time.
private final class Plant: Sendable {
  private struct Service: Sendable {
    let lifetime: Lifetime
    let needs: [Int]
    let links: [Int]
    let isLoaded: Bool
    let isDecorated: Bool
    let isFailing: Bool
    /// Whether the service is registered and removed again and again.
    let isVolatile: Bool
  }

  static let count = 8

  private let services: [Service]
  let root: Injector
  let made = Locked<[Part]>([])
  let problems = Locked<[String]>([])
  private let isFailing: Bool
  private let isVolatile: Bool

  init(_ random: inout SplitMix64) throws {
    let (isFailing, isVolatile) = (random.chance(30), random.chance(50))
    (self.isFailing, self.isVolatile) = (isFailing, isVolatile)
    services = (0..<Self.count).map { index in
      let lifetime: Lifetime = random.pick(.lazySingleton, .lazySingleton, .scoped, .weakSingleton, .graph, .factory)
      let isKept = lifetime == .lazySingleton || lifetime == .scoped
      return Service(
        lifetime: lifetime, needs: (index + 1..<max(Self.count, index + 1)).filter { _ in random.chance(25) },
        links: isKept ? (0..<Self.count).filter { $0 != index && random.chance(15) } : [],
        isLoaded: isKept && random.chance(20), isDecorated: random.chance(15),
        isFailing: isFailing && random.chance(20),
        isVolatile: isVolatile && random.chance(30))
    }
    root = Injector("plant", allowRewrite: true)
    for index in services.indices {
      try register(index)
      if services[index].isDecorated { try decorate(index) }
    }
    if !isVolatile, random.chance(40) { try root.seal() }
  }

  private func add(_ service: Int, _ needs: [Part], isClosable: Bool, isConfigured: Bool) -> Part {
    let part = Part(service, needs, isClosable: isClosable, isConfigured: isConfigured)
    made.withLock { $0.append(part) }
    return part
  }

  private func decorate(_ index: Int) throws(InjectorError) {
    try root.decorate(Part.self, tag: .number(index)) { [self] inner, _ in
      add(index, [inner], isClosable: false, isConfigured: true)
    }
  }

  private func register(_ index: Int) throws(InjectorError) {
    let service = services[index]
    let isKept = service.lifetime == .lazySingleton || service.lifetime == .scoped
    let fails: @Sendable () -> Bool = { [number = Counter()] in service.isFailing && number.increment() % 3 == 0 }
    let make: @Sendable (Injector) throws -> Part = { [unowned self] injector in
      pause(index &* 37 % 100)
      if fails() { throw Failure() }
      let needs = try service.needs.map { try injector.get(Part.self, tag: .number($0)) }
      return add(index, needs, isClosable: isKept, isConfigured: service.links.isEmpty)
    }
    let load: @Sendable (Injector) async throws -> Part = { [unowned self] injector in
      await Task.yield()
      if fails() { throw Failure() }
      var needs: [Part] = []
      for need in service.needs { needs.append(try await injector.load(tag: .number(need))) }
      return add(index, needs, isClosable: isKept, isConfigured: service.links.isEmpty)
    }
    var injection: Injection<Part> =
      switch service.lifetime {
      case .weakSingleton: .weakSingleton(make)
      case .scoped: service.isLoaded ? .scoped(load) : .scoped(make)
      case .graph: .graph(make)
      case .factory: .factory(make)
      default: service.isLoaded ? .lazySingleton(load) : .lazySingleton(make)
      }
    if !service.links.isEmpty {
      injection = injection.configure { part, injector in
        part.configure(try service.links.map { try injector.get(Part.self, tag: .number($0)) })
      }
    }
    if isKept { injection = injection.onClose { part in part.closings.add(1, ordering: .relaxed) } }
    try root.register(tag: .number(index), injectable: injection)
  }

  /// The operations of one task.
  func work(_ random: SplitMix64) async {
    var random = random
    var scopes = [root, root.makeScope("own")]
    for _ in 0..<12 {
      let (index, injector) = (random.number(in: 0...(Self.count - 1)), random.pick(from: scopes))
      do throws(InjectorError) {
        switch random.number(in: 0...99) {
        case 0..<40: check(try injector.get(Part.self, tag: .number(index)), asked: index)
        case 40..<75: check(try await injector.load(Part.self, tag: .number(index)), asked: index)
        case 75..<80: scopes.append(injector.makeScope("inner"))
        case 80..<86:
          scopes[1].closeNow()
          scopes[1] = root.makeScope("own")
        case 86..<90: injector.reset()
        case 90..<96 where services[index].isVolatile:
          try root.unregister(Part.self, tag: .number(index))
          try register(index)
        case 96..<98 where services[index].isVolatile: try register(index)
        case 98 where isVolatile: try decorate(index)
        default: await Task.yield()
        }
      } catch {
        if !isAllowed(error) { problems.withLock { $0.append("\(error)") } }
      }
    }
    for scope in scopes.dropFirst() { await scope.close() }
  }

  private func check(_ part: Part, asked index: Int) {
    var found: [Part] = []
    part.collect(&found)
    for part in found where !part.isConfigured.load(ordering: .acquiring) {
      problems.withLock { $0.append("\(part.service) is unfinished, seen from \(index)") }
    }
  }

  /// Whether the plan explains an error.
  private func isAllowed(_ error: InjectorError) -> Bool {
    switch error {
    case .closed, .notLoaded, .captiveDependency, .scopeRequired, .circularDependency: true
    // If another request is refused and fails, all requests fail that share its unfinished instances.
    case .constructionFailed: isFailing || services.contains { !$0.links.isEmpty }
    case .notRegistered, .instanceExists, .alreadyRegistered: isVolatile
    default: false
    }
  }

  /// Closes everything, and checks that each instance was closed once that had to be.
  func end() async -> [String] {
    await root.close()
    // `closeNow` leaves instances that are still loaded, or published later, to other tasks.
    for _ in 0..<2_000 where !wrong.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
    return problems.current + wrong.map { "\($0.service) was closed \($0.closings.load(ordering: .relaxed)) times" }
  }

  private var wrong: [Part] {
    made.current.filter { $0.closings.load(ordering: .relaxed) != ($0.isClosable ? 1 : 0) }
  }

  var text: String {
    services.enumerated().map { index, service in
      "\(index): \(service.lifetime) needs \(service.needs) links \(service.links)"
        + (service.isLoaded ? " loaded" : "") + (service.isDecorated ? " decorated" : "")
        + (service.isFailing ? " failing" : "") + (service.isVolatile ? " volatile" : "")
    }.joined(separator: "\n")
  }
}

@Suite("Random tasks", .serialized)
struct RandomTasks {
  @Test("get only finished instances, and each instance is closed once", .repeatable, .timeLimit(.minutes(10)))
  func tasks() async throws {
    try await Rounds.run(200) { round in
      var random = round.random
      let plant = try Plant(&random)
      let seeds = (0..<4).map { _ in random.split() }
      await withTaskGroup { group in
        for seed in seeds { group.addTask { await plant.work(seed) } }
      }
      let problems = await plant.end()
      #expect(problems == [], "\(plant.text)")
    }
  }
}

extension Injector.Tag {
  fileprivate static func number(_ number: Int) -> Self { Self(rawValue: "\(number)") }
}
