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
    /// Whether a scope decorates what it inherits.
    let isInheriting: Bool
    var isUsedInScope = false
    var isBegun = false

    init(
      _ service: Int, _ lifetime: Lifetime, needs: [Int] = [], isLoaded: Bool = false, depth: Int, decorators: Int,
      isInheriting: Bool = false
    ) {
      (self.service, self.lifetime, self.needs) = (service, lifetime, needs)
      (self.isLoaded, self.depth, self.decorators) = (isLoaded, depth, decorators)
      self.isInheriting = isInheriting
    }

    var isKept: Bool { [.lazySingleton, .scoped, .weakSingleton].contains(lifetime) }
    var isClosable: Bool { [.lazySingleton, .scoped].contains(lifetime) && !isMadeFromArgument && !isInheriting }
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
    /// The inherited registrations of which the scope has begun an instance.
    var begun: [Registration] = []

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
    releaseInherited(service, in: scope)
  }

  func unregister(_ service: Int, in scope: Scope) throws(Refusal) {
    if scope.isClosed { throw .closed }
    if scope.isSealed { throw .sealed }
    guard let old = scope.registrations.removeValue(forKey: service) else { throw .notRegistered }
    release(in: scope) { $0 === old }
    releaseInherited(service, in: scope)
  }

  private func releaseInherited(_ service: Int, in scope: Scope) {
    release(in: scope) { $0.service == service && $0.depth < scope.depth }
    scope.begun.removeAll { $0.service == service }
  }

  /// Decorates a registration of the scope itself, one that it inherits, or the later one of an outermost injector.
  func decorate(_ service: Int, in scope: Scope) throws(Refusal) {
    if scope.isClosed { throw .closed }
    if scope.isSealed { throw .sealed }
    if let own = scope.registrations[service] {
      if own.isKept && own.isBegun || own.isUsedInScope { throw .instanceExists }
      own.decorators += 1
    } else if let inherited = try scope.parent.flatMap({ parent throws(Refusal) in try find(service, in: parent) }) {
      let isKept = scope.kept.contains { $0.registration === inherited }
      if isKept || scope.begun.contains(where: { $0 === inherited }) { throw .instanceExists }
      let isKeptHere = [.lazySingleton, .singleton].contains(inherited.lifetime)
      scope.registrations[service] = Registration(
        service, isKeptHere ? .lazySingleton : inherited.lifetime, depth: scope.depth,
        decorators: (scope.decorators[service] ?? 0) + 1, isInheriting: true)
    } else if scope.parent != nil {
      throw .notRegistered
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
    scope.begun = []
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
        begin(registration, in: owner)
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
    do throws(Refusal) {
      guard let registration = try find(service, in: scope) else { return .refused(.notRegistered) }
      return provide(registration, argument, in: scope, keeper: keeper)
    } catch {
      return .refused(error)
    }
  }

  private func find(_ service: Int, in scope: Scope) throws(Refusal) -> Registration? {
    for level in scope.levels {
      if level.isClosed { throw .closed }
      if let registration = level.registrations[service] { return registration }
    }
    return nil
  }

  private func begin(_ registration: Registration, in owner: Scope) {
    registration.isBegun = true
    // What fails for arguments leaves nothing behind.
    if owner.depth > registration.depth, !registration.isMadeFromArgument { owner.begun.append(registration) }
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
    begin(registration, in: owner)
    return make(registration, argument, in: owner, keeper: min(keeper, owner.depth))
  }

  private func make(_ registration: Registration, _ argument: Int, in scope: Scope, keeper: Int) -> Answer {
    if registration.isInheriting, let outer = scope.levels.first(where: { $0.depth < registration.depth }) {
      return inherit(registration, argument, in: scope, outer, keeper: keeper)
    }
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

  private func inherit(
    _ registration: Registration, _ argument: Int, in scope: Scope, _ outer: Scope, keeper: Int
  ) -> Answer {
    do throws(Refusal) {
      guard let inherited = try find(registration.service, in: outer) else { return .refused(.notRegistered) }
      let answer = provide(inherited, argument, in: scope, keeper: keeper)
      guard case .instance(let inner) = answer else { return answer }
      return .instance(keep(registration, argument, inner, in: scope))
    } catch {
      return .refused(error)
    }
  }

  private func keep(_ registration: Registration, _ argument: Int, _ needs: [Instance], in scope: Scope) -> Instance {
    keep(registration, argument, Instance(registration.service, needs), in: scope)
  }

  private func keep(_ registration: Registration, _ argument: Int, _ inner: Instance, in scope: Scope) -> Instance {
    let outer = (0..<registration.decorators).reduce(inner) { inner, _ in Instance(registration.service, [inner]) }
    if registration.isKept {
      scope.kept.append(Kept(registration: registration, argument: argument, outer: outer, inner: inner))
    } else if registration.lifetime == .graph {
      shared.append((registration, scope, outer))
    }
    return outer
  }
}
