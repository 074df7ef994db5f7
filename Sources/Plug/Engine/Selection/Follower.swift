import Synchronization

/// One who is told of exposures.
///
/// Soundness of the unchecked conformance: immutable, or atomic; the subclass has only immutable state, and a set that
/// is guarded.
class Follower: @unchecked Sendable {
  private let service: ObjectIdentifier?
  final let receive: @Sendable (Exposure) -> Void
  private let hasEnded = Atomic(false)
  private let last: LastExposures?

  /// - Parameters:
  ///   - service: The service of which it is told; `nil` for all.
  ///   - last: Where it keeps what it is told, if reports show that.
  init(
    of service: (any Any.Type)?, keeping last: LastExposures? = nil, _ receive: @escaping @Sendable (Exposure) -> Void
  ) {
    self.service = service.map { ObjectIdentifier($0) }
    self.last = last
    self.receive = receive
    Instrumentation.shared.beginFollowing()
  }

  deinit { Instrumentation.shared.endFollowing() }

  /// Whether this is told of a service.
  final func follows(_ other: ObjectIdentifier) -> Bool {
    if let service, service != other { return false }
    return !hasEnded.load(ordering: .acquiring)
  }

  /// What it keeps for reports.
  var remembered: [Exposure]? { last?.list }

  final func end() { hasEnded.store(true, ordering: .releasing) }

  /// Reports an exposure, if this wants to know of those in such a context.
  ///
  /// - Parameter make: Makes it for what identifies the context.
  func report<Context: Sendable>(in context: Context, _ make: (String?) -> Exposure) { receive(make(nil)) }
}

/// One who wants to know what identifies the context.
final class IdentifyingFollower<Own: Sendable>: Follower, @unchecked Sendable {
  private let identifier: StoredProperty<Own, String>
  private let known: KnownExposures?

  init(
    of service: (any Any.Type)?, _ filter: ExposureFilter<Own>, keeping last: LastExposures? = nil,
    _ receive: @escaping @Sendable (Exposure) -> Void
  ) {
    identifier = StoredProperty(filter.identifier)
    known = filter.limit.map(KnownExposures.init)
    super.init(of: service, keeping: last, receive)
  }

  override func report<Context: Sendable>(in context: Context, _ make: (String?) -> Exposure) {
    guard let own = context as? Own else { return }
    let exposure = make(identifier(own))
    if known?.insert(exposure) ?? true { receive(exposure) }
  }
}

/// The last exposures, in a ring.
final class LastExposures: Sendable {
  private struct Ring: Sendable {
    var exposures: [Exposure?]
    var next = 0
  }

  private let ring: Contended<Ring>

  init(_ count: Int) { ring = Contended(Ring(exposures: Array(repeating: nil, count: max(count, 1)))) }

  func add(_ exposure: Exposure) {
    ring.withLock { ring in
      ring.exposures[ring.next] = exposure
      ring.next = (ring.next + 1) % ring.exposures.count
    }
  }

  /// From the oldest to the newest.
  var list: [Exposure] {
    ring.withLock { ring in (ring.exposures[ring.next...] + ring.exposures[..<ring.next]).compactMap(\.self) }
  }
}

/// The exposures that have been reported, the last ones: in two sets, of which the older is given up when the newer is
/// full.
final class KnownExposures: Sendable {
  private struct Key: Hashable {
    let service: String
    let tag: String?
    let candidate: String
    let identifier: String?
  }

  private struct Sets: Sendable {
    var new: Set<Key> = []
    var old: Set<Key> = []
  }

  private let limit: Int
  private let sets = Contended(Sets())

  init(limit: Int) { self.limit = limit }

  /// - Returns: Whether it is not known.
  func insert(_ exposure: Exposure) -> Bool {
    let key = Key(
      service: exposure.service, tag: exposure.tag, candidate: exposure.candidate, identifier: exposure.identifier)
    return sets.withLock { sets in
      guard sets.new.insert(key).inserted else { return false }
      let isKnown = sets.old.contains(key)
      if sets.new.count >= limit { (sets.old, sets.new) = (sets.new, []) }
      return !isKnown
    }
  }
}
