extension Injector {
  /// Gives up the instances of a service, or of all, and lets others be made.
  func renew(_ key: ServiceKey?) {
    let own = instanceStore.withLock { instanceStore in
      instanceStore.ownCells.values + (instanceStore.known?.overlays.values.flatMap(\.overlay.parts) ?? [])
    }
    let cells = (registrations.entries.flatMap(\.parts) + own).filter { cell in
      (key == nil || cell.key == key) && cell.lifetime != .singleton && !cell.isState
    }
    let arguments = instanceStore.withLock { instanceStore in
      let all = instanceStore.known?.argumentCells ?? [:]
      let forgotten = all.filter { _, made in key == nil || made.entry.decoratedKey == key }
      instanceStore.known?.argumentCells = all.filter { forgotten[$0.key] == nil }
      return forgotten
    }
    close(renew(cells))
    withExtendedLifetime(arguments) {}
  }
}
