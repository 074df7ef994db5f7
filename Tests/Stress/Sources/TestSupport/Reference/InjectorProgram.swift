import Plug

private enum D0 {}
private enum D1 {}
private enum D2 {}

/// Injectors that perform operations.
final class InjectorProgram: Sendable {
  private struct State {
    var injectors: [Int: Injector] = [:]
    var asked: Injector?
    /// The number of decorators, by their injectors.
    var decorators: [ObjectIdentifier: Int] = [:]
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
      defer { state.injectors = [:] }
      return state.injectors
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
  func perform(_ operation: Operation) -> Outcome {
    guard let injector = injector(operation.place) else { return .done }
    do throws(InjectorError) {
      switch operation {
      case .open(let number, _, let name):
        let scope = injector.makeScope(name)
        state.withLock { $0.injectors[number] = scope }
      case .register(let plan, _): try register(Self.type(of: plan.service), plan, in: injector)
      case .candidate(let id, let plan, let gate, let priority, _):
        try register(Self.type(of: plan.service), plan, (id, gate, priority), in: injector)
      case .unregister(let service, let candidate, _):
        try unregister(Self.type(of: service), service, candidate, in: injector)
      case .decorate(let service, let needs, _): try decorate(Self.type(of: service), service, needs, in: injector)
      case .reset: injector.reset()
      case .resetService(let service, _):
        try injector.reset(type: Self.type(of: service), tag: Self.tag(of: service))
      case .close: injector.closeNow()
      case .seal: try injector.seal()
      case .toggle(let one): ledger.toggle(one)
      case .request(let need, _):
        state.withLock { $0.asked = injector }
        defer { state.withLock { $0.asked = nil } }
        return try request(need, from: injector)
      }
      return .done
    } catch {
      return .refused(error.name)
    }
  }

  private func register<P: Part>(
    _ type: P.Type, _ plan: Plan, _ candidate: (id: String, gate: Int?, priority: Int)? = nil, in injector: Injector
  ) throws(InjectorError) {
    let tag = Self.tag(of: plan.service)
    if Services.takesArgument(plan.service) {
      let lifetime: ArgumentsLifetime<Int> =
        switch plan.life {
        case .lazySingleton: .lazySingleton
        case .scoped: .scoped
        default: .factory
        }
      try injector.register(as: type, tag: tag, taking: Int.self, lifetime: lifetime) { [self] _, injector in
        try makePart(plan, in: injector)
      }
      return
    }
    let make: @Sendable (Injector) throws -> P = { [self] injector in try makePart(plan, in: injector) }
    var injection: Injection<P>
    switch plan.life {
    case .singleton:
      let given = P(Origin(ledger, []))
      if plan.links != nil { ledger.setConfigured(given.origin.number, false) }
      injection = .singleton(given)
    case .lazySingleton: injection = .lazySingleton(make)
    case .weakSingleton: injection = .weakSingleton(make)
    case .scoped: injection = .scoped(make)
    case .scopedIn(let name): injection = .scoped(in: name, make)
    case .graph: injection = .graph(make)
    case .factory: injection = .factory(make)
    case .provided: injection = .providedByScope
    }
    if let links = plan.links {
      injection = injection.configure { [self] part, injector in
        ledger.note("configure \(part) in \(place(of: injector))")
        try ledger.check(.configuration(plan.service))
        let links = try links.map { try request($0, from: injector) }
        ledger.setConfigured(part.origin.number, true)
        ledger.note("\(part) is configured with \(links)")
      }
    }
    switch plan.life {
    case .singleton, .lazySingleton, .scoped, .scopedIn:
      injection = injection.onClose { [ledger] part in ledger.note("close \(part)") }
    default: break
    }
    guard let (id, gate, priority) = candidate else {
      try injector.register(as: type, tag: tag, injectable: injection)
      return
    }
    if let gate {
      let rule = Rule<Injector>("gate \(gate)") { [ledger] _ in ledger.isOn(.gate(gate)) }
      try injector.register(as: type, tag: tag, injectable: injection, when: rule, id: id, priority: priority)
    } else {
      try injector.contribute(type, tag: tag, injectable: injection, id: id, priority: priority)
    }
  }

  private func makePart<P: Part>(_ plan: Plan, in injector: Injector) throws -> P {
    ledger.note("make \(plan.service) in \(place(of: injector))")
    try ledger.check(.factory(plan.service))
    let needs = try plan.needs.map { try request($0, from: injector) }
    let part = P(Origin(ledger, needs))
    if plan.links != nil { ledger.setConfigured(part.origin.number, false) }
    ledger.note("\(part) is \(plan.service) with \(needs)")
    return part
  }

  private func unregister<P: Part>(
    _ type: P.Type, _ service: Int, _ candidate: String?, in injector: Injector
  ) throws(InjectorError) {
    let tag = Self.tag(of: service)
    if Services.takesArgument(service) {
      try injector.unregister(type: type, tag: tag, taking: Int.self)
    } else {
      try injector.unregister(type: type, tag: tag, candidate: candidate)
    }
  }

  private func decorate<P: Part>(
    _ type: P.Type, _ service: Int, _ needs: [Need], in injector: Injector
  ) throws(InjectorError) {
    let number = state.withLock { $0.decorators[ObjectIdentifier(injector), default: 0] } + 1
    try injector.decorate(type, tag: Self.tag(of: service)) { [self] part, injector in
      ledger.note("decorate \(part) by \(number) in \(place(of: injector))")
      try ledger.check(.decorators(service))
      let needs = try needs.map { try request($0, from: injector) }
      let new = P(Origin(ledger, needs, around: part))
      ledger.note("\(new) has \(new.origin.needs)")
      return new
    }
    state.withLock { $0.decorators[ObjectIdentifier(injector)] = number }
  }
}

extension InjectorProgram {
  private func request(_ need: Need, from injector: Injector) throws(InjectorError) -> Outcome {
    switch need {
    case .get(let service): return try get(Self.type(of: service), service, from: injector)
    case .optional(let service): return try find(Self.type(of: service), service, from: injector)
    case .all(let service): return try all(Self.type(of: service), service, from: injector)
    case .inherited(let service): return try inherited(Self.type(of: service), service, from: injector)
    case .with(let service, let argument):
      return try get(Self.type(of: service), service, with: argument, from: injector)
    case .fromOutermost(let need): return try request(need, from: state.withLock { $0.asked } ?? injector)
    case .attempt(let need):
      do throws(InjectorError) { return try request(need, from: injector) } catch { return .refused(error.name) }
    }
  }

  private func get<P: Part>(_: P.Type, _ service: Int, from injector: Injector) throws(InjectorError) -> Outcome {
    .one(try injector.get(P.self, tag: Self.tag(of: service)))
  }

  private func find<P: Part>(_: P.Type, _ service: Int, from injector: Injector) throws(InjectorError) -> Outcome {
    try injector.get(P?.self, tag: Self.tag(of: service)).map { .one($0) } ?? .absent
  }

  private func all<P: Part>(_: P.Type, _ service: Int, from injector: Injector) throws(InjectorError) -> Outcome {
    .all(try injector.getAll(P.self, tag: Self.tag(of: service)))
  }

  private func inherited<P: Part>(_: P.Type, _ service: Int, from injector: Injector) throws(InjectorError) -> Outcome {
    .all(try injector.getAllInherited(P.self, tag: Self.tag(of: service)))
  }

  private func get<P: Part>(
    _: P.Type, _ service: Int, with argument: Int, from injector: Injector
  ) throws(InjectorError) -> Outcome {
    .one(try injector.get(P.self, tag: Self.tag(of: service), with: argument))
  }
}

extension InjectorError {
  /// The name of the case.
  fileprivate var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
