extension Agreement {
  /// A program of random operations.
  package static func program(_ random: inout SplitMix64) -> [Operation] {
    var scopes = 0
    return (0..<60).map { _ in
      let place = random.chance(40) ? 0 : random.number(in: 0...scopes)
      let service = random.number(in: 0...Services.count - 1)
      switch random.number(in: 0...99) {
      case 0..<22: return .register(Plan(service, &random), in: Services.isOfRoot(service) ? 0 : place)
      case 22..<29 where Services.features.contains("candidate") && service < Services.plain:
        let gate = random.chance(50) ? random.number(in: 0...1) : nil
        let plan = Plan(service, &random)
        if plan.life == .provided { return .register(plan, in: Services.isOfRoot(service) ? 0 : place) }
        return .candidate(
          random.pick("x", "y", "z"), plan, gate: gate, priority: random.pick(0, 0, 1),
          in: Services.isOfRoot(service) ? 0 : place)
      case 29..<33:
        let isCandidate = Services.features.contains("candidate") && random.chance(50) && service < Services.plain
        return .unregister(service, candidate: isCandidate ? random.pick("x", "y", "z") : nil, in: place)
      case 33..<37 where Services.features.contains("decorate"):
        return .decorate(service, needs: random.chance(30) ? [Need(from: service + 1, &random)] : [], in: place)
      case 37..<45 where scopes < 6:
        scopes += 1
        return .open(scopes, in: random.number(in: 0...scopes - 1), random.pick("a", "a", "b"))
      case 45..<47 where place > 0 || random.chance(20): return .close(place)
      case 47..<49: return .reset(place)
      case 49..<51: return .resetService(service, in: place)
      case 51..<56:
        return .toggle(
          random.pick(.factory(service), .configuration(service), .decorators(service), .gate(service % 2)))
      case 56 where random.chance(50): return .seal(place)
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
    if Services.features.contains("configure"), !Services.takesArgument(service), random.chance(30) {
      links = (0..<random.pick(0, 1, 1, 2)).map { _ in Need(&random) }
    }
    switch life {
    case .singleton: self.init(service, life, links: links)
    case .provided: self.init(service, life)
    default: self.init(service, life, needs: needs, links: links)
    }
  }
}

extension Need {
  fileprivate init(from first: Int = 0, below end: Int = Services.count, _ random: inout SplitMix64) {
    let service = random.number(in: min(first, end - 1)...end - 1)
    let takesArgument = Services.takesArgument(service) != random.chance(3)
    let argument = random.number(in: 0...1)
    self =
      takesArgument
      ? .with(service, argument: argument)
      : random.pick(
        .get(service), .get(service), .get(service), .get(service), .optional(service), .all(service),
        .inherited(service))
    if random.chance(15) { self = .fromOutermost(self) }
    if random.chance(10) { self = .attempt(self) }
  }
}

extension Services {
  /// The operations that programs may have besides the basic ones: `candidate`, `decorate`, `configure`.
  fileprivate static let features: Set<String> = []

  /// Whether only the root registers it.
  fileprivate static func isOfRoot(_ service: Int) -> Bool { service == 6 || service == 7 }
}
