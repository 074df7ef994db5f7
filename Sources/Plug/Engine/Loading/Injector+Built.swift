extension Injector {
  /// The instance of a service that exists, if this is a scope; `nil` if the request has to be answered step by step.
  ///
  /// Soundness of the cast: a cell is stored under the identity of its template, and made with the type of that.
  func builtInScope<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) -> Service? {
    guard parent != nil, !registrations.instrumentation.isActive, ThreadContext.current.isIdle,
      TaskGraph.inheritedWork == nil,
      let cell = try? search(service, tag)?.plain
    else { return nil }
    guard cell.kind == .scoped else { return cell.existing }
    let own = instanceStore.withLock { $0.ownCells[cell] }
    return own.flatMap { unsafe unsafeDowncast($0, to: Cell<Service>.self).existing }
  }
}
