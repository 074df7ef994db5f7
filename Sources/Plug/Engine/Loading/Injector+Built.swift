import Synchronization

extension Injector {
  /// Answers a request that comes to one cell, without trying: the instance exists, or all there is to do is to load
  /// it.
  ///
  /// - Returns: The cell with the instance; `nil` if the request has to be answered step by step.
  func loadDirectly<Service: Sendable>(
    _ service: Service.Type, _ tag: Tag?
  ) async throws(InjectorError) -> Cell<Service>? {
    // A weak instance may go between the look and the request.
    guard let cell = directCell(service, tag), !cell.isInPlace, cell.kind != .weakSingleton else { return nil }
    if cell.hasInstance { return cell }
    guard cell.isAsynchronous else { return nil }
    try await cell.load(for: cell.kind == .scoped ? self : ancestor(at: cell.level.load(ordering: .relaxed)), by: [])
    return cell.hasInstance ? cell : nil
  }

  /// The cell that gives the instance of a service, if there is no choice, and nothing that leads to it.
  ///
  /// Soundness of the cast: a cell is stored under the identity of its template, and made with the type of that.
  private func directCell<Service: Sendable>(_ service: Service.Type, _ tag: Tag?) -> Cell<Service>? {
    guard !registrations.isWatched, ThreadContext.current.isUnused, TaskGraph.inheritedWork == nil,
      let cell = try? search(service, tag)?.plain
    else { return nil }
    guard cell.isTemplate && !cell.isInPlace else { return cell }
    let thread = unsafe ThreadLocalContext.context
    guard let own = unsafe quickOwnCell(for: Unmanaged.passUnretained(cell), on: thread) else { return nil }
    return unsafe unsafeDowncast(own.takeRetainedValue(), to: Cell<Service>.self)
  }
}
