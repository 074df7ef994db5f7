extension Agreement {
  /// A program of random operations.
  package static func program(_ random: inout SplitMix64) -> [Operation] {
    var scopes = 0
    return (0..<60).map { index in
      let place = random.chance(40) ? 0 : random.number(in: 0...scopes)
      let service = random.number(in: 0...Services.count - 1)
      switch random.number(in: 0...99) {
      case 0..<29: return .register(Plan(service, &random), in: Services.isOfRoot(service) ? 0 : place)
      case 29..<33:
        let isCandidate = random.chance(50) && service < Services.plain
        return .unregister(service, candidate: isCandidate ? random.pick("x", "y", "z") : nil, in: place)
      case 33..<37:
        let needs = random.chance(30) ? [Need(from: service + 1, &random)] : []
        return .decorate(Decorator(service, id: index, needs: needs), in: place)
      case 37..<45 where scopes < 6:
        scopes += 1
        return .open(scopes, in: random.number(in: 0...scopes - 1), random.pick("a", "a", "b"))
      case 45..<47 where place > 0 || random.chance(20): return .close(place)
      case 47..<49: return .reset(in: place)
      case 49..<51 where service < Services.plain: return .reset(service, in: place)
      case 51..<56:
        return .toggle(
          random.pick(.factory(service), .configuration(service), .decorators(service), .gate(service % 2)))
      case 56 where random.chance(50): return .seal(place)
      case 57..<68 where service < Services.plain: return .request(.load(service), from: place)
      default: return .request(Need(&random), from: place)
      }
    }
  }
}

extension Plan {
  fileprivate init(_ service: Int, _ random: inout SplitMix64) {
    let life: Life =
      Services.takesArgument(service)
      ? random.pick(.lazySingleton, .scoped, .factory)
      : Services.isOfRoot(service) && random.chance(50)
        ? .scopedIn("a")
        : random.pick(
          .lazySingleton, .lazySingleton, .scoped, .scoped, .weakSingleton, .graph, .factory, .singleton, .provided)
    // A service that is made from an argument may need itself with another one, and does so without an end.
    let end = Services.takesArgument(service) ? Services.plain : Services.count
    let needs = (0..<random.pick(0, 0, 1, 1, 2, 3)).map { _ in
      // Most requests are for later services, so that few of them are circular.
      Need(from: random.chance(90) && service + 1 < end ? service + 1 : 0, below: end, &random)
    }
    var links: [Need]?
    if !Services.takesArgument(service), random.chance(30) {
      links = (0..<random.pick(0, 1, 1, 2)).map { _ in Need(&random) }
    }
    self.init(service, life, needs: needs, links: links)
    if service < Services.plain, life != .provided, random.chance(25) { candidate = Plan.Candidate(&random) }
    isLoaded = service < Services.plain && (life == .lazySingleton || life == .scoped) && random.chance(25)
    if isLoaded { self.needs = needs.map { if case .get(let service, nil) = $0 { .load(service) } else { $0 } } }
    if life == .singleton || life == .provided { self.needs = [] }
    if life == .provided { self.links = nil }
  }
}

extension Plan.Candidate {
  fileprivate init(_ random: inout SplitMix64) {
    let gate = random.chance(50) ? random.number(in: 0...1) : nil
    self.init(random.pick("x", "y", "z"), gate: gate, priority: random.pick(0, 0, 1))
  }
}

extension Need {
  fileprivate init(from first: Int = 0, below end: Int = Services.count, _ random: inout SplitMix64) {
    let service = random.number(in: min(first, end - 1)...end - 1)
    self =
      Services.takesArgument(service)
      ? .get(service, with: random.number(in: 0...1))
      : random.pick(
        .get(service), .get(service), .get(service), .get(service), .optional(service), .all(service),
        .all(service))
    if random.chance(15) { self = .fromOutermost(self) }
    if random.chance(10) { self = .attempt(self) }
  }
}

extension Services {
  /// Whether only the root registers it.
  fileprivate static func isOfRoot(_ service: Int) -> Bool { service == 6 || service == 7 }
}
