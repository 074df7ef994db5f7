import Synchronization

extension Injector {
  /// Looks for the instance that this scope has for itself without a cell.
  ///
  /// - Parameters:
  ///   - thread: The context of the calling thread.
  ///   - begins: Whether the thread goes on to make it where there is none.
  ///   - copy: Copies it from where it is.
  @usableFromInline
  func findOwn(
    _ registered: Unmanaged<AnyEntry>, on thread: Unmanaged<ThreadContext>, begins: Bool = true,
    _ copy: (UnsafeMutableRawPointer) -> Void
  ) -> OwnInstance {
    guard unsafe thread._withUnsafeGuaranteedRef({ $0.isWithin(depth) }) else { return unsafe .stepwise }
    unsafe registered._withUnsafeGuaranteedRef { registered in
      let isFirst = begins && !registered.hasOwnCells.load(ordering: .acquiring)
      if isFirst, keepsRegistered(registered) { _ = registered.beginOwnCell() }
    }
    return unsafe instanceStore.withLock { store in
      if store.isClosed { return unsafe .stepwise }
      if let place = unsafe store.cells.place(of: registered) {
        if let instance = unsafe store.cells.instance(at: place) {
          unsafe copy(instance)
          return unsafe .copied
        }
        if let cell = store.cells.cell(at: place) { return unsafe .cell(.passRetained(cell)) }
      }
      if !begins { return unsafe .absent }
      guard store.known?.decorations.isEmpty != false, unsafe mayBegin(registered, on: thread) else {
        return unsafe .stepwise
      }
      let number = unsafe thread._withUnsafeGuaranteedRef { $0.makings.begin() }
      return unsafe .begun(store.cells.begin(registered, on: thread, number: number, at: depth))
    }
  }

  /// Whether something is registered in the injector around this scope, and that is sealed: then it keeps that.
  private func keepsRegistered(_ registered: AnyEntry) -> Bool {
    guard registered.level.load(ordering: .relaxed) &+ 1 == depth, let outer = unsafe registrations.outer else {
      return false
    }
    return unsafe outer._withUnsafeGuaranteedRef {
      $0.state.load(ordering: .acquiring) == Registrations.State.sealed
    }
  }

  /// Whether an instance of what is registered can be made without a cell, and nobody has to be told.
  private func mayBegin(_ registered: Unmanaged<AnyEntry>, on thread: Unmanaged<ThreadContext>) -> Bool {
    guard unsafe thread._withUnsafeGuaranteedRef({ $0.isSettled }), !Startup.isUnderWay else { return false }
    return unsafe registered._withUnsafeGuaranteedRef { registered in
      keepsRegistered(registered) && registered.hasOwnCells.load(ordering: .acquiring) && !mayBeSuperseded(registered)
        && !(registered.isRecorded && registered.needsRecord)
    }
  }

  /// Keeps an instance that a thread has made.
  ///
  /// - Parameter initialize: Puts it where it is to be.
  /// - Returns: `false` if there is more to it.
  func keepOwn(
    _ own: OwnPlace, on thread: Unmanaged<ThreadContext>, size: Int, alignment: Int,
    _ initialize: (UnsafeMutableRawPointer) -> Void
  ) -> Bool {
    instanceStore.withLock { store in
      guard !store.isClosed,
        let place = unsafe store.cells.finish(own, on: thread, size: size, alignment: alignment)
      else { return false }
      unsafe initialize(place)
      return true
    }
  }

  /// Forgets an instance that a thread could not make.
  ///
  /// - Returns: `false` if there is a cell by now.
  func cancelOwn(_ own: OwnPlace, on thread: Unmanaged<ThreadContext>) -> Bool {
    instanceStore.withLock { unsafe $0.cells.cancel(own, on: thread) }
  }

  /// The cell for an instance that a thread has begun to make; retained.
  ///
  /// Soundness of the cast: nothing but cells is handed over.
  func takeOwnCell(
    of template: Unmanaged<AnyEntry>, _ own: OwnPlace, on thread: Unmanaged<ThreadContext>
  ) -> Unmanaged<AnyEntry> {
    instanceStore.withLock { unsafe $0.cells.materialize(own, on: thread) }
    if let cell = unsafe thread._withUnsafeGuaranteedRef({ $0.makings.take(own.number) }) {
      return unsafe .passRetained(unsafeDowncast(cell, to: AnyEntry.self))
    }
    // It has been forgotten meanwhile: the instance is kept all the same, until it is given up.
    let cell = unsafe template._withUnsafeGuaranteedRef { unsafe $0.makeOwnCell(at: depth) ?? $0 }
    cell.maker.store(unsafe UInt(bitPattern: thread.toOpaque()), ordering: .releasing)
    return unsafe .passRetained(cell)
  }
}
