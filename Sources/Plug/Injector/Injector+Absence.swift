extension Injector {
  /// The error for a service that is not registered, with the nearest registered name.
  @usableFromInline
  func absence(
    of key: ServiceKey, candidate: String? = nil, isRemoval: Bool = false,
    isOverride: Bool = false, placeholder: CodeLocation? = nil
  ) -> InjectorError {
    var facts = InjectorError.Facts(about: key, candidate: candidate, in: self)
    facts.isRemoval = isRemoval
    facts.isOverride = isOverride
    facts.placeholder = placeholder
    facts.previousRegistration = registrations.previousRegistration(of: key)
    facts.isUntouched = !isScope && name != nil && name != .default && registrations.isEmpty
    let hasArguments = key.service is any AnyArgumentsKey.Type
    if !isRemoval || !hasArguments && candidate == nil, var mismatch = mismatch(of: key) {
      mismatch.facts.isRemoval = isRemoval
      mismatch.facts.isOverride = isOverride
      return .argumentsMismatch(mismatch.facts, expected: mismatch.expected, found: mismatch.found)
    }
    facts.nearestName = NearestName(
      to: serviceName(facts.service, tag: facts.tag), unless: candidate == nil ? key : nil,
      in: registrations)
    return .notRegistered(facts)
  }

  /// The arguments a service is registered with, if they differ from the requested ones.
  private func mismatch(
    of key: ServiceKey
  ) -> (facts: InjectorError.Facts, expected: [[String]], found: [String])? {
    let wanted = key.service as? any AnyArgumentsKey.Type
    let service = ServiceKey(wanted?.service ?? key.service, key.tag)
    let levels = registrations.levels
    var entries = levels.flatMap { level in level.argumentEntries(for: service) }
    if wanted != nil { entries += levels.compactMap { $0.entry(service.type, service.tag) } }
    // Another thread may have registered the requested arguments by now.
    entries.removeAll { $0.declaration.key == key }
    guard let first = entries.first else { return nil }
    var facts = InjectorError.Facts(about: service, in: self)
    facts.registeredAt = first.location
    if let wanted { facts.givenForm = .arguments(wanted.arguments) }
    let expected = entries.map { ($0.declaration.service as? any AnyArgumentsKey.Type)?.arguments ?? [] }
    return (facts, expected, wanted?.arguments ?? [])
  }
}
