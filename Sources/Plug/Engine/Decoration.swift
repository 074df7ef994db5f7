/// Something that wraps the instances of a service, whatever its type.
class AnyDecoration: @unchecked Sendable {
  // Soundness of the unchecked conformance: immutable Sendable state only, here and in the subclass.
  let id: String
  let isolation: FactoryIsolation

  init(id: String, isolation: FactoryIsolation) {
    self.id = id
    self.isolation = isolation
  }
}

/// Something that wraps the instances of a service.
final class Decoration<Service: Sendable>: AnyDecoration, @unchecked Sendable {
  let wrap: @Sendable (Service, Injector) throws -> Service

  init(
    id: String, isolation: FactoryIsolation, _ wrap: @escaping @Sendable (Service, Injector) throws -> Service
  ) {
    self.wrap = wrap
    super.init(id: id, isolation: isolation)
  }
}

extension Cell {
  /// The same with instances that are wrapped by what does not wrap them yet.
  ///
  /// - Parameter decorations: In declared order.
  func wrapped(by decorations: [Decoration<Service>]) -> Cell {
    let known = factory.extras?.decorations ?? []
    let new = decorations.filter { decoration in !known.contains { $0 === decoration } }
    if new.isEmpty { return self }
    var factory = Injection<Service>.Factory(factory)
    var inner = unsafe existingState?.inner.pointer(to: Service.self)
    // What was handed in, and has not been changed.
    if kind == .singleton, !factory.needsSetup, known.isEmpty, let given = unsafe instance.pointer(to: Service.self) {
      factory = unsafe factory.giving(given.pointee)
      unsafe inner = given
    }
    let cell = Cell(decorating: self, factory.decorated(by: new), kind)
    if isClosable, let inner = unsafe inner { unsafe cell.state.inner.publish(inner.pointee) }
    return cell
  }

  /// What a scope has in place of this, which is registered in another: if that keeps the instance, one more that wraps
  /// it, else the same with instances that are wrapped.
  func wrapped(by decorations: [Decoration<Service>], in level: Int32) -> Cell {
    let factory = Injection<Service>.Factory(factory)
    guard kind.isKept, kind != .scoped else { return Cell(decorating: self, factory.decorated(by: decorations), kind) }
    let core = Injection<Service>.Factory.Core(
      .from { [self] injector in try instance(for: injector.parent ?? injector) }, knowledge: knowledge)
    return Cell(
      decorating: self, Injection.Factory(core).decorated(by: decorations), .lazySingleton, level: level)
  }
}

extension Injector {
  /// What an entry that is registered further out is here, with what the scopes on the way decorate it with.
  ///
  /// - Parameter depth: How deep the injector lies in which it is registered.
  func overlaid(_ entry: AnyEntry, registeredAt depth: Int32) -> AnyEntry {
    guard self.depth > depth, let parent else { return entry }
    let outer = parent.overlaid(entry, registeredAt: depth)
    let decorations = registrations.decorations(of: entry.key)
    if decorations.isEmpty { return outer }
    if let known = holdings.withLock({ $0.known?.overlays[ObjectIdentifier(outer)] }) { return known.overlay }
    let fresh = outer.overlaid(by: decorations, in: self.depth) { cell in
      self.holdings.withLock { $0.known?.overlays[ObjectIdentifier(cell)]?.overlay }
    }
    return holdings.withLock { holdings in holdings.addOverlay(fresh, of: outer) }
  }

  /// Wraps the instances of a service, also of what has been registered in an injector further out.
  func decorate(_ key: ServiceKey, with decoration: AnyDecoration) throws(Refusal) {
    let overlays = holdings.withLock { $0.known?.overlays.values.filter { $0.overlay.key == key } ?? [] }
    if let made = overlays.lazy.flatMap(\.overlay.parts).first(where: \.isInUse) { throw .made(made.site) }
    let own = holdings.withLock { $0.ownCells.values.first { $0.key == key && $0.isInUse } }
    if let own { throw .made(own.site) }
    let made = holdings.withLock {
      $0.known?.argumentCells.values.first { $0.entry.decoratedKey == key && !$0.cells.isEmpty }
    }
    if let made { throw .made(made.entry.site) }
    let (old, new) = try registrations.decorate(key, with: decoration)
    let released = holdings.withLock { holdings in
      for (old, new) in zip(old?.parts ?? [], new?.parts ?? []) {
        if let index = holdings.kept.firstIndex(where: { $0 === old }) { holdings.kept[index] = new }
      }
      for overlay in overlays { holdings.known?.overlays[ObjectIdentifier(overlay.original)] = nil }
      return overlays
    }
    withExtendedLifetime((old, released)) {}
  }

  func ancestor(at depth: Int32) -> Injector {
    sequence(first: self, next: \.parent).first { $0.depth <= depth } ?? self
  }
}
