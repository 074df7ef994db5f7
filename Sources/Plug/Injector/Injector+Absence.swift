/// Where services were registered that are not any more, for errors that mention it.
private final class History: Sendable {
  private static let limit = 1_000
  private let ended = Guarded<[Key: InjectorError.PreviousRegistration]>([:])

  func add(_ key: Key, _ previous: InjectorError.PreviousRegistration) {
    ended.withLock { ended in
      if ended.count < Self.limit || ended[key] != nil { ended[key] = previous }
    }
  }

  subscript(key: Key) -> InjectorError.PreviousRegistration? { ended.withLock { $0[key] } }
}

extension Injector {
  /// Whether something was registered and has been removed.
  func hasRemoved(_ key: Key) -> Bool { attachment(History.self)?[key] != nil }

  func remember(removed registration: Registration, ownerWasReleased: Bool) {
    let history = updateAttachment(History.self) { $0 ?? History() }
    let previous = InjectorError.PreviousRegistration(
      registeredAt: registration.location, ownerWasReleased: ownerWasReleased)
    history?.add(registration.key, previous)
  }

  /// The error for a service that is not registered, with the nearest registered name.
  package func absence(
    of key: Key, candidate: String? = nil, isRemoval: Bool = false, isOverride: Bool = false
  ) -> InjectorError {
    var facts = InjectorError.Facts(about: key, candidate: candidate, in: self)
    facts[.isRemoval] = isRemoval
    facts[.isOverride] = isOverride
    facts.values.previousRegistration = levels.lazy.compactMap { $0.attachment(History.self)?[key] }.first
    if let mismatch = mismatch(of: key, facts, hasCandidate: candidate != nil) { return mismatch }
    facts[.isUntouched] = !isScope && name != nil && name != .default && isUntouched
    facts.values.contenders = (isScope ? nil : name)?.environment.contenders(with: self)
    facts.values.nearestName = NearestName(
      to: serviceName(facts.service, tag: facts.tag), unless: candidate == nil ? key : nil, in: self)
    return .notRegistered(facts)
  }
}

extension Injector {
  /// The error for a service that is registered with other arguments than it was requested with.
  private func mismatch(of key: Key, _ absence: InjectorError.Facts, hasCandidate: Bool) -> InjectorError? {
    let wanted = key.typed?.arguments
    if absence[.isRemoval], wanted != nil || hasCandidate { return nil }
    let service = Key(wanted?.service ?? key.type, key.tag)
    let others = levels.flatMap(\.cells).map(\.registration).filter { registration in
      registration.key != key && (registration.maker != nil || wanted != nil) && registration.servedKey == service
    }
    guard let first = others.first else { return nil }
    var facts = InjectorError.Facts(about: service, in: self)
    facts.values.registeredAt = first.location
    facts.values.traits = absence.values.traits
    facts.values.arguments = wanted?.list
    return .argumentsMismatch(
      facts, expected: others.map { $0.key.typed?.arguments?.list ?? [] }, found: wanted?.list ?? [])
  }
}
