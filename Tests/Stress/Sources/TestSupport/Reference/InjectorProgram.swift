import Plug

private enum D0 {}
private enum D1 {}
private enum D2 {}

/// Injectors that perform operations.
final class InjectorProgram: Sendable {
  private struct State {
    var injectors: [Int: Injector] = [:]
    var asked: Injector?
  }

  private static let types: [any Part.Type] = [Kind<D0>.self, Kind<D1>.self, Kind<D2>.self]

  let ledger: Ledger
  private let state = Locked(State())

  init(_ ledger: Ledger, allowsRewriting: Bool) {
    self.ledger = ledger
    let root = Injector(allowRewrite: allowsRewriting)
    state.withLock { $0.injectors[0] = root }
  }

  /// Releases the injectors, which hold the program.
  func end() {
    let all = state.withLock { state in
      defer { (state.injectors, state.asked) = ([:], nil) }
      return (state.injectors, state.asked)
    }
    withExtendedLifetime(all) {}
  }

  private func injector(_ place: Int) -> Injector? { state.withLock { $0.injectors[place] } }

  private func place(of injector: Injector) -> Int {
    state.withLock { $0.injectors.first { $0.value === injector }?.key } ?? -1
  }

  private static func type(of service: Int) -> any Part.Type { types[service % types.count] }

  private static func tag(of service: Int) -> Injector.Tag? {
    service < types.count ? nil : Injector.Tag(rawValue: "\(service / types.count)")
  }
}

extension InjectorProgram {
  func perform(_ operation: Operation) async -> Outcome {
    guard let injector = injector(operation.place) else { return .done }
    do throws(InjectorError) {
      switch operation {
      case .open(let number, _, let name):
        let scope = injector.makeScope(name)
        state.withLock { $0.injectors[number] = scope }
      case .register(let plan, _): try register(Self.type(of: plan.service), plan, in: injector)
      case .unregister(let service, let candidate, _):
        try unregister(Self.type(of: service), service, candidate, in: injector)
      case .decorate(let decorator, _): try decorate(Self.type(of: decorator.service), decorator, in: injector)
      case .reset(nil, _): injector.reset()
      case .reset(let service?, _): try injector.reset(Self.type(of: service), tag: Self.tag(of: service))
      case .close: injector.closeNow()
      case .seal: try injector.seal()
      case .toggle(let one): ledger.toggle(one)
      case .request(let need, _):
        state.withLock { $0.asked = injector }
        return try await load(need, from: injector)
      }
      return .done
    } catch {
      return .refused(Refusal(error))
    }
  }

  private func register<P: Part>(
    _ type: P.Type, _ plan: Plan, in injector: Injector
  ) throws(InjectorError) {
    let tag = Self.tag(of: plan.service)
    if Services.takesArgument(plan.service) {
      let lifetime: ArgumentsLifetime<Int> =
        switch plan.life {
        case .lazySingleton: .lazySingleton
        case .scoped: .scoped
        default: .factory
        }
      try injector.register(type, tag: tag, taking: Int.self, lifetime: lifetime) { [self] _, injector in
        try makePart(plan, in: injector)
      }
      return
    }
    let make: @Sendable (Injector) throws -> P = { [self] injector in try makePart(plan, in: injector) }
    let load: @Sendable (Injector) async throws -> P = { [self] injector in try await loadPart(plan, in: injector) }
    var injection: Injection<P>
    switch plan.life {
    case .singleton:
      injection = .singleton(P(Origin(ledger, plan, [])))
    case .lazySingleton where plan.isLoaded: injection = .lazySingleton(load)
    case .lazySingleton: injection = .lazySingleton(make)
    case .weakSingleton: injection = .weakSingleton(make)
    case .scoped where plan.isLoaded: injection = .scoped(load)
    case .scoped: injection = .scoped(make)
    case .scopedIn(let name): injection = .scoped(in: name, make)
    case .graph: injection = .graph(make)
    case .factory: injection = .factory(make)
    case .provided: injection = .providedByScope
    }
    if let links = plan.links {
      injection = injection.configure { [self] part, injector in
        try ledger.begin("configure \(part) in \(place(of: injector))", .configuration(plan.service))
        part.origin.configure(try links.map { try request($0, from: injector) })
      }
    }
    if plan.isClosable { injection = injection.onClose { [ledger] part in ledger.note("close \(part)") } }
    guard let candidate = plan.candidate else {
      try injector.register(as: type, tag: tag, injectable: injection)
      return
    }
    if let gate = candidate.gate {
      let rule = Rule<Injector>("gate \(gate)") { [ledger] _ in ledger.isOn(.gate(gate)) }
      try injector.contribute(
        type, tag: tag, injection, when: rule, id: candidate.id,
        priority: candidate.priority)
    } else {
      try injector.contribute(type, tag: tag, injection, id: candidate.id, priority: candidate.priority)
    }
  }

  private func makePart<P: Part>(_ plan: Plan, in injector: Injector) throws -> P {
    try ledger.begin("make \(plan.service) in \(place(of: injector))", .factory(plan.service))
    return P(Origin(ledger, plan, try plan.needs.map { try request($0, from: injector) }))
  }

  private func loadPart<P: Part>(_ plan: Plan, in injector: Injector) async throws -> P {
    try ledger.begin("make \(plan.service) in \(place(of: injector))", .factory(plan.service))
    var needs: [Outcome] = []
    for need in plan.needs { needs.append(try await load(need, from: injector)) }
    return P(Origin(ledger, plan, needs))
  }

  private func unregister<P: Part>(
    _ type: P.Type, _ service: Int, _ candidate: String?, in injector: Injector
  ) throws(InjectorError) {
    let tag = Self.tag(of: service)
    if Services.takesArgument(service) {
      try injector.unregister(type, tag: tag, taking: Int.self)
    } else {
      try injector.unregister(type, tag: tag, candidate: candidate)
    }
  }

  private func decorate<P: Part>(
    _ type: P.Type, _ decorator: Decorator, in injector: Injector
  ) throws(InjectorError) {
    try injector.decorate(type, tag: Self.tag(of: decorator.service)) { [self] part, injector in
      try ledger.begin(
        "decorate \(part) by \(decorator.id) in \(place(of: injector))", .decorators(decorator.service))
      return P(Origin(ledger, around: part, try decorator.needs.map { try request($0, from: injector) }))
    }
  }
}

extension InjectorProgram {
  private func load(_ need: Need, from injector: Injector) async throws(InjectorError) -> Outcome {
    guard case .load(let service) = need else { return try request(need, from: injector) }
    return try await load(Self.type(of: service), service, from: injector)
  }

  private func request(_ need: Need, from injector: Injector) throws(InjectorError) -> Outcome {
    switch need {
    case .get(let service, nil), .load(let service): return try get(Self.type(of: service), service, from: injector)
    case .optional(let service): return try find(Self.type(of: service), service, from: injector)
    case .all(let service): return try all(Self.type(of: service), service, from: injector)
    case .get(let service, let argument?):
      return try get(Self.type(of: service), service, with: argument, from: injector)
    case .fromOutermost(let need): return try request(need, from: state.withLock { $0.asked } ?? injector)
    case .attempt(let need):
      do throws(InjectorError) { return try request(need, from: injector) } catch { return .refused(Refusal(error)) }
    }
  }

  private func get<P: Part>(_: P.Type, _ service: Int, from injector: Injector) throws(InjectorError) -> Outcome {
    .one(try injector.get(P.self, tag: Self.tag(of: service)))
  }

  private func load<P: Part>(
    _: P.Type, _ service: Int, from injector: Injector
  ) async throws(InjectorError) -> Outcome {
    .one(try await injector.load(P.self, tag: Self.tag(of: service)))
  }

  private func find<P: Part>(_: P.Type, _ service: Int, from injector: Injector) throws(InjectorError) -> Outcome {
    try injector.get(P?.self, tag: Self.tag(of: service)).map { .one($0) } ?? .absent
  }

  private func all<P: Part>(_: P.Type, _ service: Int, from injector: Injector) throws(InjectorError) -> Outcome {
    .all(try injector.getAll(P.self, tag: Self.tag(of: service)))
  }

  private func get<P: Part>(
    _: P.Type, _ service: Int, with argument: Int, from injector: Injector
  ) throws(InjectorError) -> Outcome {
    .one(try injector.get(P.self, tag: Self.tag(of: service), with: argument))
  }
}

extension Refusal {
  fileprivate init(_ error: InjectorError) {
    self = Mirror(reflecting: error).children.first?.label.flatMap(Refusal.init) ?? .other
  }
}
