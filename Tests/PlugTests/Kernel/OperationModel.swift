import Plug
import TestSupport

/// A model of a program with injectors, in the plainest form: one thread, no claims, no tables.
final class OperationModel {
  /// The failure of a request.
  enum Refusal: Error, Hashable {
    case notRegistered, closed, captive, scopeRequired, notLoaded, failed, alreadyRegistered, instanceExists, sealed
  }

  final class Registration {
    let service: Int
    let lifetime: Lifetime
    let needs: [Int]
    let isLoaded: Bool
    let depth: Int
    var decorators: Int
    var isUsedInScope = false
    var isBegun = false

    init(_ service: Int, _ lifetime: Lifetime, needs: [Int], isLoaded: Bool, depth: Int, decorators: Int) {
      (self.service, self.lifetime, self.needs) = (service, lifetime, needs)
      (self.isLoaded, self.depth, self.decorators) = (isLoaded, depth, decorators)
    }

    var isKept: Bool { [.lazySingleton, .scoped, .weakSingleton].contains(lifetime) }
    var isClosable: Bool { [.lazySingleton, .scoped].contains(lifetime) && !isMadeFromArgument }
    var isMadeFromArgument: Bool { OperationModel.takesArgument(service) }
  }

  final class Instance {
    let service: Int
    let needs: [Instance]

    init(_ service: Int, _ needs: [Instance]) { (self.service, self.needs) = (service, needs) }
  }

  struct Kept {
    let registration: Registration
    let argument: Int
    let outer: Instance
    let inner: Instance
  }

  final class Scope {
    let parent: Scope?
    let depth: Int
    var isClosed = false
    var isSealed = false
    var registrations: [Int: Registration] = [:]
    var decorators: [Int: Int] = [:]
    var kept: [Kept] = []

    init(in parent: Scope?) {
      self.parent = parent
      depth = (parent?.depth ?? -1) + 1
    }

    var levels: [Scope] { [self] + (parent?.levels ?? []) }
  }

  static let services = 9
  /// The services that are made from an argument: the last ones.
  static func takesArgument(_ service: Int) -> Bool { service >= services - 2 }

  let allowsRewriting: Bool
  var scopes: [Scope] = [Scope(in: nil)]
  var failing: Set<Int> = []
  /// The closed instances, in order.
  var closed: [Instance] = []
  private var shared: [(registration: Registration, scope: Scope, instance: Instance)] = []

  init(allowsRewriting: Bool) { self.allowsRewriting = allowsRewriting }
}

// MARK: Changes

extension OperationModel {
  func register(
    _ service: Int, _ lifetime: Lifetime, needs: [Int], isLoaded: Bool, in scope: Scope
  ) throws(Refusal) {
    if scope.isClosed { throw .closed }
    if scope.isSealed { throw .sealed }
    let old = scope.registrations[service]
    if old != nil, !allowsRewriting { throw .alreadyRegistered }
    scope.registrations[service] = Registration(
      service, lifetime, needs: needs, isLoaded: isLoaded, depth: scope.depth,
      decorators: scope.decorators[service] ?? 0)
    if let old { release(in: scope) { $0 === old } }
    if scope.parent != nil { release(in: scope) { $0.service == service && $0.depth < scope.depth } }
  }

  func unregister(_ service: Int, in scope: Scope) throws(Refusal) {
    if scope.isClosed { throw .closed }
    if scope.isSealed { throw .sealed }
    guard let old = scope.registrations.removeValue(forKey: service) else { throw .notRegistered }
    release(in: scope) { $0 === old }
  }

  /// Decorates a registration of the scope itself, or a service without a registration.
  func decorate(_ service: Int, in scope: Scope) throws(Refusal) {
    if scope.isClosed { throw .closed }
    if scope.isSealed { throw .sealed }
    if let own = scope.registrations[service] {
      if own.isKept && own.isBegun || own.isUsedInScope { throw .instanceExists }
      own.decorators += 1
    }
    scope.decorators[service, default: 0] += 1
  }

  func open(in scope: Scope) -> Scope {
    let new = Scope(in: scope)
    new.isClosed = scope.isClosed
    scopes.append(new)
    return new
  }

  func reset(_ scope: Scope) {
    release(in: scope) { _ in true }
    for registration in scope.registrations.values { registration.isBegun = false }
  }

  func close(_ scope: Scope) {
    if scope.isClosed { return }
    release(in: scope) { _ in true }
    scope.isClosed = true
    scope.registrations = [:]
  }

  private func release(in scope: Scope, where isMeant: (Registration) -> Bool) {
    let gone = scope.kept.filter { isMeant($0.registration) }
    scope.kept.removeAll { isMeant($0.registration) }
    closed += gone.reversed().filter(\.registration.isClosable).map(\.inner)
  }
}

// MARK: Requests

extension OperationModel {
  func get(_ service: Int, _ argument: Int, in scope: Scope) throws(Refusal) -> Instance {
    shared = []
    return try provide(service, argument, in: scope, keeper: .max).get()
  }

  func load(_ service: Int, _ argument: Int, in scope: Scope, keeper: Int = .max) throws(Refusal) -> Instance {
    while true {
      let outer = shared
      shared = []
      defer { shared = outer }
      switch provide(service, argument, in: scope, keeper: keeper) {
      case .instance(let instance): return instance
      case .refused(let refusal): throw refusal
      case .missing(let registration, let owner):
        registration.isBegun = true
        if failing.contains(registration.service) { throw .failed }
        var needs: [Instance] = []
        for need in registration.needs { needs.append(try load(need, 0, in: owner, keeper: owner.depth)) }
        _ = keep(registration, 0, needs, in: owner)
      }
    }
  }

  private enum Answer {
    case instance(Instance)
    case refused(Refusal)
    /// The service has to be loaded.
    case missing(Registration, Scope)

    func get() throws(Refusal) -> Instance {
      switch self {
      case .instance(let instance): return instance
      case .refused(let refusal): throw refusal
      case .missing: throw .notLoaded
      }
    }
  }

  private func provide(_ service: Int, _ argument: Int, in scope: Scope, keeper: Int) -> Answer {
    for level in scope.levels {
      if level.isClosed { return .refused(.closed) }
      if let registration = level.registrations[service] {
        return provide(registration, argument, in: scope, keeper: keeper)
      }
    }
    return .refused(.notRegistered)
  }

  private func provide(_ registration: Registration, _ argument: Int, in scope: Scope, keeper: Int) -> Answer {
    if registration.depth > 0, keeper < registration.depth { return .refused(.captive) }
    let owner: Scope
    switch registration.lifetime {
    case .scoped:
      if keeper < (scope.parent == nil ? .max : scope.depth) { return .refused(.captive) }
      if scope.parent == nil { return .refused(.scopeRequired) }
      owner = scope
    case .lazySingleton, .weakSingleton, .singleton:
      owner = scope.levels.first { $0.depth == registration.depth } ?? scope
    case .graph, .factory:
      let known = shared.first { $0.registration === registration && $0.scope === scope }
      if registration.lifetime == .graph, let known { return .instance(known.instance) }
      return make(registration, argument, in: scope, keeper: keeper)
    }
    if owner.isClosed { return .refused(.closed) }
    if let kept = owner.kept.first(where: { $0.registration === registration && $0.argument == argument }) {
      return .instance(kept.outer)
    }
    if owner.depth > registration.depth || registration.isMadeFromArgument { registration.isUsedInScope = true }
    if registration.isLoaded { return .missing(registration, owner) }
    registration.isBegun = true
    return make(registration, argument, in: owner, keeper: min(keeper, owner.depth))
  }

  private func make(_ registration: Registration, _ argument: Int, in scope: Scope, keeper: Int) -> Answer {
    if failing.contains(registration.service) { return .refused(.failed) }
    var needs: [Instance] = []
    for need in registration.needs {
      switch provide(need, 0, in: scope, keeper: keeper) {
      case .instance(let instance): needs.append(instance)
      case let other: return other
      }
    }
    return .instance(keep(registration, argument, needs, in: scope))
  }

  private func keep(_ registration: Registration, _ argument: Int, _ needs: [Instance], in scope: Scope) -> Instance {
    let inner = Instance(registration.service, needs)
    let outer = (0..<registration.decorators).reduce(inner) { inner, _ in Instance(registration.service, [inner]) }
    if registration.isKept {
      scope.kept.append(Kept(registration: registration, argument: argument, outer: outer, inner: inner))
    } else if registration.lifetime == .graph {
      shared.append((registration, scope, outer))
    }
    return outer
  }
}
