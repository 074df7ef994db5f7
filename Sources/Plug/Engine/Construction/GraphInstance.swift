/// Soundness of the cast: `keep` is the only one to store instances, each under a key with its own cell, which the
/// instance holds; and a cell has one type.
private final class TypedGraphInstance<Service: Sendable>: GraphInstance {
  let service: Service
  private let cell: Cell<Service>

  init(_ service: Service, _ cell: Cell<Service>) {
    self.service = service
    self.cell = cell
  }
}

extension ThreadContext {
  /// The instance that the current outermost request has already.
  func graphInstance<Service>(of cell: Cell<Service>, for injector: Injector) -> Service? {
    guard let instance = sessionEnd.graph[GraphKey(cell: ObjectIdentifier(cell), injector: injector.identity)] else {
      return nil
    }
    if cell.needsSetup { sessionEnd.pendingUses += 1 }
    return unsafe unsafeDowncast(instance, to: TypedGraphInstance<Service>.self).service
  }

  /// Shares an instance until the outermost request ends.
  func keep<Service>(_ service: Service, of cell: Cell<Service>, for injector: Injector) {
    sessionEnd.graph[GraphKey(cell: ObjectIdentifier(cell), injector: injector.identity)] = TypedGraphInstance(
      service, cell)
  }
}
