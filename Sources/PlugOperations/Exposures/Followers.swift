import Plug
import Synchronization

/// The closures that follow the choices of one injector and its scopes.
final class Followers: OccasionalHook, ChoiceHooks {
  private let followers = Guarded<[Follower]>([])

  init() {}

  var seesRequests: Bool { false }
  var isIdle: Bool { followers.withLock { $0.isEmpty } }

  /// The last exposures, if a follower keeps them.
  var remembered: [Exposure]? { followers.withLock { $0 }.lazy.compactMap { $0.last?.list }.first }

  func add(_ follower: Follower) { followers.withLock { $0.append(follower) } }

  func remove(_ follower: Follower) {
    let old = followers.withLock { followers in
      let old = followers
      followers.removeAll { $0 === follower }
      return old
    }
    withExtendedLifetime(old) {}
  }

  func note(_ event: ChoiceEvent, in injector: Injector) {
    switch event {
    case .given(let choice):
      report(choice.service.key, "", choice.candidate.id, choice.context) { Exposure(choice, for: $0, in: injector) }
    case .decided(let kind, let name, let outcome, let isDefault, let context):
      report(Key(kind), name, outcome, context) {
        Exposure(
          service: Key(kind).text, tag: nil, point: name, candidate: outcome,
          reason: isDefault ? .fallback : .rule, identifier: $0, injector: injector.path)
      }
    default: return
    }
  }

  private func report(
    _ service: Key, _ name: String, _ candidate: String, _ context: ContextReference, _ make: (String?) -> Exposure
  ) {
    let interested = followers.withLock { $0.filter { $0.follows(service.type) } }
    if interested.isEmpty { return }
    Reporting.exposures.run {
      for follower in interested { follower.report(service, name, candidate, context, make) }
    }
  }
}

/// A closure that receives exposures.
final class Follower: Sendable {
  private let service: ObjectIdentifier?
  private let receive: @Sendable (Exposure) -> Void
  /// Returns the identifier of a context, `.some(nil)` without one; `nil` for a context that is not reported.
  private let identify: @Sendable (ContextReference) -> String??
  private let known: KnownExposures?
  private let hasEnded = Atomic(false)
  /// The exposures that the follower keeps, if reports show them.
  let last: LastExposures?

  /// - Parameter service: The service that is followed; `nil` for all.
  init(
    of service: (any Any.Type)?, keeping last: LastExposures? = nil, _ receive: @escaping @Sendable (Exposure) -> Void
  ) {
    self.service = service.map { ObjectIdentifier($0) }
    (self.last, self.receive, known) = (last, receive, nil)
    identify = { _ in .some(nil) }
  }

  init<Context>(
    of service: (any Any.Type)?, _ filter: ExposureFilter<Context>, keeping last: LastExposures? = nil,
    _ receive: @escaping @Sendable (Exposure) -> Void
  ) {
    self.service = service.map { ObjectIdentifier($0) }
    (self.last, self.receive, known) = (last, receive, filter.limit.map(KnownExposures.init))
    identify = { context in
      if context.type != Context.self { return nil }
      return .some(context.open(as: Context.self) { $0[keyPath: filter.identifier] })
    }
  }

  func end() { hasEnded.store(true, ordering: .releasing) }

  func follows(_ other: any Any.Type) -> Bool {
    service.map { $0 == ObjectIdentifier(other) } ?? true && !hasEnded.load(ordering: .acquiring)
  }

  func report(
    _ service: Key, _ name: String, _ candidate: String, _ context: ContextReference, _ make: (String?) -> Exposure
  ) {
    guard let identifier = identify(context) else { return }
    if known?.insert(service, name, candidate, identifier) ?? true { receive(make(identifier)) }
  }
}

/// The last exposures, in a ring.
final class LastExposures: Sendable {
  private struct Ring: Sendable {
    var exposures: [Exposure] = []
    var next = 0
  }

  private let count: Int
  private let ring = Guarded(Ring())

  init(_ count: Int) { self.count = max(count, 1) }

  func add(_ exposure: Exposure) {
    ring.withLock { ring in
      if ring.exposures.count < count { return ring.exposures.append(exposure) }
      ring.exposures[ring.next] = exposure
      ring.next = (ring.next + 1) % count
    }
  }

  /// The exposures, from the oldest to the newest.
  var list: [Exposure] { ring.withLock { Array($0.exposures[$0.next...] + $0.exposures[..<$0.next]) } }
}

/// The exposures that were reported last, in two sets. When the newer set is full, it replaces the older one, and an
/// empty set becomes the newer one.
private final class KnownExposures: Sendable {
  private struct Exposed: Hashable {
    let service: Key
    let name: String
    let candidate: String
    let identifier: String?
  }

  private struct Sets: Sendable {
    var new: Set<Exposed> = []
    var old: Set<Exposed> = []
  }

  private let limit: Int
  private let sets = Guarded(Sets())

  init(limit: Int) { self.limit = limit }

  /// - Returns: Whether the exposure was unknown.
  func insert(_ service: Key, _ name: String, _ candidate: String, _ identifier: String?) -> Bool {
    let exposed = Exposed(service: service, name: name, candidate: candidate, identifier: identifier)
    return sets.withLock { sets in
      guard sets.new.insert(exposed).inserted else { return false }
      let isKnown = sets.old.contains(exposed)
      if sets.new.count >= limit { (sets.old, sets.new) = (sets.new, []) }
      return !isKnown
    }
  }
}
