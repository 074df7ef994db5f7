import Plug
import Synchronization
import TestSupport

extension Scenario {
  /// Services whose configurations request each other, also in scopes that factories and configurations open, got by
  /// several threads from one scope or from a scope of their own.
  static let configurations = Scenario("configurations") { round, crew in
    var random = round.random
    let network = try Network(round, &random)
    let shared = network.open(in: network.root)
    let threads = random.pick(1, 2, 3, 3)
    crew.run(
      (0..<threads).map { thread in
        let scope = random.chance(70) ? shared : network.open(in: network.root)
        let wanted = (0...random.number(in: 0...2)).map { _ in random.number(in: 0...network.count - 1) }
        let delay = random.delay()
        round.note("thread \(thread) gets \(wanted) from \(scope)")
        return {
          pause(delay)
          for service in wanted { network.get(service, from: scope) }
        }
      })
    network.close()
  }
}

/// An instance with the ones that its factory and its last configuration got.
private final class Station: Sendable {
  let service: Int
  let injector: String
  let number: Int
  private let round: Round
  private let needs: [Station]
  private let state: Locked<(links: [Station], isConfigured: Bool)>

  init(_ service: Int, _ injector: Injector, needs: [Station], isConfigured: Bool, _ round: Round) {
    (self.service, self.injector, self.needs, self.round) = (service, injector.description, needs, round)
    number = round.begin("service \(service) of \(injector)")
    state = Locked(([], isConfigured))
  }

  deinit { round.end(number) }

  var links: [Station] { state.withLock { $0.links } }
  var isConfigured: Bool { state.withLock { $0.isConfigured } }

  func configure(_ links: [Station], isConfigured: Bool = true) {
    let old = state.withLock { state in
      defer { state = (links, isConfigured) }
      return state
    }
    withExtendedLifetime(old) {}
  }

  func collect(_ found: inout [Int: Station]) {
    if found.updateValue(self, forKey: number) != nil { return }
    for other in needs + links { other.collect(&found) }
  }
}

/// Services, of which the first are made for a scope or for each request, and the last are lazy singletons. A factory
/// needs only later ones, so that circles lead through configurations.
private final class Network: Sendable {
  private struct Service: Sendable {
    let lifetime: Lifetime
    let needs: [Int]
    let links: [Int]
    /// The services that the factory and the configuration get from a scope that they open.
    let innerNeed: Int?
    let innerLink: Int?
    /// Whether the configuration ignores errors, so that it may meet several circles in one run.
    let isCatching: Bool

    var isConfigured: Bool { !links.isEmpty || innerLink != nil }
  }

  let root = Injector("configurations")
  private let services: [Service]
  private let round: Round
  private let scopes = Locked<[Injector]>([])
  private let stations = Locked<[Station]>([])

  var count: Int { services.count }

  init(_ round: Round, _ random: inout SplitMix64) throws {
    self.round = round
    let count = random.number(in: 2...6)
    let kept = random.number(in: 1...count)
    var services: [Service] = []
    for index in 0..<count {
      let lifetime: Lifetime =
        index < kept ? random.pick(.scoped, .scoped, .scoped, .graph, .factory) : .lazySingleton
      let later = Array(index + 1..<max(count, index + 1))
      // An unshared instance that led to another of its service would have no end.
      let reachable =
        lifetime == .scoped ? Array(0..<count) : Array(max(kept, lifetime == .lazySingleton ? 0 : index)..<count)
      services.append(
        Service(
          lifetime: lifetime, needs: later.filter { _ in random.chance(35) },
          links: reachable.filter { _ in random.chance(35) },
          innerNeed: random.chance(15) ? later.randomElement(using: &random) : nil,
          innerLink: random.chance(25) ? random.number(in: 0...count - 1) : nil, isCatching: random.chance(40)))
    }
    self.services = services
    for index in services.indices { try register(index) }
  }

  private func register(_ index: Int) throws {
    let service = services[index]
    round.note(
      "service \(index): \(service.lifetime), needs \(service.needs), links \(service.links)"
        + (service.innerNeed.map { ", needs \($0) inside" } ?? "")
        + (service.innerLink.map { ", links \($0) inside" } ?? "") + (service.isCatching ? ", catching" : ""))
    let make: @Sendable (Injector) throws -> Station = { [unowned self] injector in
      var needs: [Station] = []
      for need in service.needs { needs.append(try injector.station(need)) }
      if let inner = service.innerNeed, injector.isShallow { needs.append(try open(in: injector).station(inner)) }
      let station = Station(index, injector, needs: needs, isConfigured: !service.isConfigured, round)
      stations.withLock { $0.append(station) }
      return station
    }
    var injection: Injection<Station> =
      switch service.lifetime {
      case .scoped: .scoped(make)
      case .graph: .graph(make)
      case .factory: .factory(make)
      default: .lazySingleton(make)
      }
    if service.isConfigured {
      injection = injection.configure { [unowned self] station, injector in
        station.configure([], isConfigured: false)
        var links: [Station] = []
        var wanted = service.links.map { ($0, injector) }
        if let inner = service.innerLink, injector.isShallow { wanted.append((inner, open(in: injector))) }
        for (other, injector) in wanted {
          do throws(InjectorError) {
            links.append(try injector.station(other))
          } catch {
            if !service.isCatching { throw error }
          }
        }
        station.configure(links)
      }
    }
    try root.register(tag: .init(rawValue: "\(index)"), injectable: injection)
  }

  func open(in injector: Injector) -> Injector {
    scopes.withLock { scopes in
      let scope = injector.makeScope("\(scopes.count)")
      scopes.append(scope)
      return scope
    }
  }

  /// Gets a service, and expects that all that it leads to is finished.
  func get(_ service: Int, from scope: Injector) {
    do throws(InjectorError) {
      var found: [Int: Station] = [:]
      try scope.station(service).collect(&found)
      var owned: [String: Int] = [:]
      for one in found.values {
        let plan = services[one.service]
        let links = plan.links.count + (plan.innerLink != nil && one.isShallow ? 1 : 0)
        round.expect(one.isConfigured, "service \(one.service) of \(one.injector) is seen unconfigured")
        round.expect(
          one.links.count == links, "service \(one.service) of \(one.injector) has \(one.links.count) of \(links) links"
        )
        guard plan.lifetime == .scoped || plan.lifetime == .lazySingleton else { continue }
        let other = owned.updateValue(one.number, forKey: "\(one.service) of \(one.injector)")
        round.expect(other == nil, "service \(one.service) of \(one.injector) has several instances")
      }
    } catch {
      round.expect(false, "a get threw: \(error)")
    }
  }

  func close() {
    let open = scopes.withLock { scopes in
      defer { scopes = [] }
      return scopes
    }
    for scope in open.reversed() { scope.closeNow() }
    root.closeNow()
    let made = stations.withLock { stations in
      defer { stations = [] }
      return stations
    }
    for station in made { station.configure([]) }
  }
}

extension Station {
  /// Whether scopes may be opened inside its injector.
  fileprivate var isShallow: Bool { injector.filter { $0 == "/" }.count < 2 }
}

extension Injector {
  /// Whether scopes may be opened inside.
  fileprivate var isShallow: Bool { description.filter { $0 == "/" }.count < 2 }

  fileprivate func station(_ service: Int) throws(InjectorError) -> Station {
    try get(Station.self, tag: .init(rawValue: "\(service)"))
  }
}
