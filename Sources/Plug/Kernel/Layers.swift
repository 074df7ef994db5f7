public import Synchronization

/// The hooks and redirections that layers have added to requests.
@usableFromInline
package enum Layers {
  private struct Known {
    var sealed: [WeakTable] = []
    var limit = 16
  }

  /// Refers to a table, not to its injector, because an object with weak references is retained more slowly.
  private struct WeakTable { weak var table: SealedTable? }

  private static let known = Guarded(Known())
  /// The number of all hooks.
  private static let watching = Atomic<Int>(0)
  /// The number of hooks that see all requests.
  private static let hooking = Atomic<Int>(0)
  @usableFromInline static let redirecting = Atomic<Int>(0)

  /// The hooks of one injector, in the order in which they were installed.
  final class Installed: Attachment {
    let hooks: [any Hooks]
    init(_ hooks: [any Hooks]) { self.hooks = hooks }
  }

  /// Adds hooks to an injector, or removes them, unless that has been done.
  package static func install(_ hooks: any Hooks, in injector: Injector, _ isInstalled: Bool = true) {
    var change = 0
    injector.updateAttachment(Installed.self) { installed in
      let old = installed?.hooks ?? []
      change = (isInstalled ? 1 : 0) - (old.contains { $0 === hooks } ? 1 : 0)
      if change == 0 { return installed }
      let new = isInstalled ? old + [hooks] : old.filter { $0 !== hooks }
      return new.isEmpty ? nil : Installed(new)
    }
    if change != 0 { count([hooks], by: change, in: injector) }
  }

  /// Counts hooks. While one sees all requests, hides the tables of its injector, and of those around it, where a
  /// request to a scope may end. The short way of a scope inside is empty, or leads to the table of its parent.
  private static func count(_ hooks: [any Hooks], by sign: Int, in injector: Injector) {
    watching.add(hooks.count * sign, ordering: .relaxed)
    let change = hooks.count { $0.seesRequests } * sign
    if change == 0 { return }
    hooking.add(change, ordering: .relaxed)
    for level in injector.levels {
      level.state.withLock { state in
        state.rare.orMade.hooks += change
        state.sealed?.hide(state.hooks > 0, .hooks)
      }
    }
  }

  /// Passes an event to all hooks of an injector and of the injectors around it, the innermost first.
  @inline(never)
  static func note(_ event: KernelEvent, in injector: Injector) {
    forEachHook(of: injector) { $0.note(event, in: injector) }
  }

  /// Runs a factory or a configuration, and notifies hooks of its beginning and end.
  @inline(never)
  static func running<Result, Failure: Error>(
    _ registration: Registration, for injector: Injector, isConfiguring: Bool = false,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !areHooked(injector) { return try body() }
    note(.running(registration, isConfiguring: isConfiguring), in: injector)
    let start = ContinuousClock.now
    do throws(Failure) {
      let result = try body()
      note(.ran(registration, isConfiguring: isConfiguring, ContinuousClock.now - start), in: injector)
      return result
    } catch {
      note(.ran(registration, isConfiguring: isConfiguring, nil), in: injector)
      throw error
    }
  }

  /// Answers a request, and notifies hooks of its end.
  @inline(__always)
  static func answering<Result>(
    _ request: Request, by injector: Injector, _ answer: () throws -> Result
  ) throws -> Result {
    areHooked(injector) ? try answeringSlowly(request, by: injector, answer) : try answer()
  }

  @inline(never)
  private static func answeringSlowly<Result>(
    _ request: Request, by injector: Injector, _ answer: () throws -> Result
  ) throws -> Result {
    do {
      let result = try answer()
      note(.answered(request, nil), in: injector)
      return result
    } catch {
      // A request that has to wait for a load is repeated.
      if !error.isRetried || ThreadStack.current.with({ $0.own.round }) == nil {
        note(.answered(request, error), in: injector)
      }
      throw error
    }
  }

  /// Passes the hooks of an injector and of the injectors around it to a closure, those of the innermost first.
  static func forEachHook(of injector: Injector, _ body: (any Hooks) -> Void) {
    if !areWatched { return }
    for level in injector.levels { level.attachment(Installed.self)?.hooks.forEach(body) }
  }

  /// The hooks of an injector and of the injectors around it, the outermost first.
  static func hooks(of injector: Injector) -> [any Hooks] {
    areWatched ? injector.levels.reversed().flatMap { $0.attachment(Installed.self)?.hooks ?? [] } : []
  }

  /// Whether any injector has hooks that see all requests.
  @inline(__always) static var areHooked: Bool { hooking.load(ordering: .relaxed) != 0 }

  /// Whether any injector has hooks.
  @inline(__always) package static var areWatched: Bool { watching.load(ordering: .relaxed) != 0 }

  /// Whether an injector or one around it may have hooks that see all requests.
  @inline(__always)
  static func areHooked(_ injector: Injector) -> Bool {
    areHooked && injector.levels.contains { level in level.state.withLock { $0.hooks > 0 } }
  }

  /// Subtracts the hooks of a released injector.
  static func forget(_ injector: Injector) {
    if areWatched, let hooks = injector.attachment(Installed.self)?.hooks { count(hooks, by: -1, in: injector) }
  }

  /// Begins a redirection. While there is one, each request checks whether it is redirected.
  ///
  /// - Returns: A new number for the redirection.
  @discardableResult
  package static func beginRedirecting() -> UInt {
    redirect(by: 1)
    return Work.makeID()
  }

  package static func endRedirecting() { redirect(by: -1) }

  /// Hides all tables when the first redirection begins, and shows them when the last one ends.
  private static func redirect(by change: Int) {
    let held = known.withLock { known in
      let count = redirecting.add(change, ordering: .releasing).newValue
      let tables = count == max(change, 0) ? known.sealed.compactMap(\.table) : []
      for table in tables { table.hide(count > 0, .isolation) }
      return tables
    }
    withExtendedLifetime(held) {}  // Released outside of the lock, since a `deinit` may run then.
  }

  @inlinable
  @inline(__always)
  static var isRedirecting: Bool { redirecting.load(ordering: .acquiring) != 0 }

  /// Registers a sealed table, which is hidden while anything redirects requests.
  static func enlist(_ table: SealedTable) {
    var tables: [SealedTable] = []  // As above.
    defer { withExtendedLifetime(tables) {} }
    known.withLock { known in
      if known.sealed.count >= known.limit {
        tables = known.sealed.compactMap(\.table)
        known.sealed = tables.map(WeakTable.init)
        known.limit = max(16, known.sealed.count * 2)
      }
      known.sealed.append(WeakTable(table: table))
      if isRedirecting { table.hide(true, .isolation) }
    }
  }
}
