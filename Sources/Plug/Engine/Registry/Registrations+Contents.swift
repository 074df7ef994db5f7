import Synchronization

extension Registrations {
  /// These registrations and those of the injectors around, up to the outermost.
  var levels: UnfoldFirstSequence<Registrations> { sequence(first: self, next: \.parent) }

  /// What this is a private copy of, and what that is a copy of.
  var originals: some Sequence<Registrations> { sequence(first: self, next: \.original).dropFirst() }

  /// All that is registered, in no order.
  var entries: [AnyEntry] {
    for template in original?.entries ?? [] { _ = entry(template.type, template.tag) }
    return stored.filter { !$0.isState }
  }

  /// The same, but that a private copy copies nothing for it.
  var registered: [AnyEntry] {
    let own = stored.filter { !$0.isState }
    guard let original else { return own }
    let others = registrationState.withLock { ($0.known?.removed ?? []).union(own.map(\.key)) }
    return own + original.registered.filter { !others.contains($0.key) }
  }

  /// What makes a service from arguments, in no order.
  func argumentEntries(for service: ServiceKey) -> [AnyEntry] {
    let keys = sequence(first: self, next: \.original).flatMap { level in
      level.registrationState.withLock { ($0.known?.argumentKeys[service] ?? []).map(\.self) }
    }
    return Set(keys).compactMap { entry($0.type, $0.tag) }
  }

  /// Whether nothing is registered, and no property has been set.
  var isEmpty: Bool { entries.isEmpty && stored.allSatisfy { !$0.isSet } && original?.isEmpty != false }

  var stored: [AnyEntry] {
    registrationState.withLock { registrations in
      let entries = unsafe table.load(ordering: .relaxed)._withUnsafeGuaranteedRef { $0.entries }
      return entries + [registrations.firstState?.state].compactMap(\.self)
    }
  }
}
