import Synchronization

/// What an isolated test has in place of the injectors it reaches: private copies, made when they are reached.
///
/// It ends when no task has it any more: then the copies are closed.
package final class Sandbox: Sendable {
  @TaskLocal package static var current: Sandbox?

  struct State: Sendable {
    /// In the order in which they were made. They are few, so that searching them is faster than hashing.
    fileprivate(set) var copies: [Copy] = []
    /// What is put aside for copies that have not been made.
    fileprivate var overrides: [Override] = []
    var environments: [ObjectIdentifier: LocalEnvironment] = [:]
    var standIns: StandIns?
    var registries: RegistryState?

    fileprivate func copy(of original: Injector) -> Injector? {
      for copy in copies where copy.original === original { return copy.injector }
      return nil
    }

    /// Whether giving up the copies may run code of others, or others may still use one.
    fileprivate mutating func needsClosing() -> Bool {
      for index in copies.indices {
        if !isKnownUniquelyReferenced(&copies[index].injector) { return true }
        if copies[index].injector.holdings.withLock({ !$0.kept.isEmpty }) { return true }
      }
      return false
    }
  }

  /// A copy, and what it was made for: that stays, so that no other object can have its identity.
  struct Copy: Sendable {
    let original: Injector
    fileprivate(set) var injector: Injector
  }

  /// Something registered that a copy will have.
  fileprivate struct Override: Sendable {
    let original: Injector
    let entry: AnyEntry
  }

  /// Tells it from every other; 0 is none.
  let number: UInt
  let outer: Sandbox?
  let state: Guarded<State>

  /// What has been chosen here.
  package let selections = SelectionLog()

  /// Whether this only stands for another that ends.
  private let isLast: Bool

  private static let lastNumber = Atomic<UInt>(0)

  /// Makes a sandbox inside of the calling task's.
  ///
  /// - Parameter onEscape: Receives the uses of what is real, from outside of every isolation, if these are forbidden.
  package init(onEscape: (@Sendable (Escape) -> Void)? = nil) {
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    outer = Self.current
    state = Guarded(State(standIns: onEscape.map(StandIns.init)))
    isLast = false
    Attention.shared.begin()
  }

  /// Takes over what a sandbox has that ends.
  private init(ending number: UInt, _ outer: Sandbox?, _ rest: State) {
    self.number = number
    self.outer = outer
    state = Guarded(rest)
    isLast = true
  }

  deinit {
    if isLast { return }
    var rest = state.withLock { state in
      defer { state = State() }
      return state
    }
    if rest.needsClosing() {
      let last = Sandbox(ending: number, outer, rest)
      Self.$current.withValue(last) { last.close() }
    }
    rest.standIns?.end()
    Attention.shared.end()
  }

  /// Closes the copies, the last first.
  private func close() {
    var next = state.withLock { $0.copies.count }
    while next > 0 {
      next -= 1
      state.withLock { $0.copies[next].injector }.giveUpAll()
    }
  }

  /// The copy of an injector, or itself if it belongs here.
  func copy(of injector: Injector) -> Injector {
    if injector.home == number { return injector }
    if let known = state.withLock({ $0.copy(of: injector) }) { return known }
    let base = outer?.copy(of: injector) ?? injector
    let parent = injector.parent.map(copy(of:))
    return state.withLock { state in
      if let first = state.copy(of: injector) { return first }
      let fresh = Injector(copying: base, scopeOf: parent, home: number)
      state.copies.append(Copy(original: injector, injector: fresh))
      if state.overrides.isEmpty { return fresh }
      for override in state.overrides where override.original === injector {
        fresh.registrations.addFirst(override.entry)
      }
      state.overrides.removeAll { $0.original === injector }
      return fresh
    }
  }

  /// Puts something aside that the copy of an injector will have: a test that asks for no more needs no copy.
  ///
  /// - Returns: `false` if there is more to it.
  func putAside(_ entry: AnyEntry, for injector: Injector) -> Bool {
    if injector.home == number || injector.parent != nil || injector.registrations.isClosed || entry.isClosable {
      return false
    }
    return state.withLock { state in
      if state.copy(of: injector) != nil { return false }
      state.overrides.removeAll { $0.original === injector && $0.entry.isFor(entry.type, entry.tag) }
      state.overrides.append(Override(original: injector, entry: entry))
      return true
    }
  }

  /// What has been put aside for the copy of an injector.
  func override(_ type: ObjectIdentifier, _ tag: Injector.Tag?, for injector: Injector) -> AnyEntry? {
    state.withLock { state in
      for override in state.overrides where override.original === injector && override.entry.isFor(type, tag) {
        return override.entry
      }
      return nil
    }
  }

  /// The copies, in the order in which they were made.
  package var copies: [Injector] { state.withLock { $0.copies.map(\.injector) } }

  /// What is known of the registries here; at first the same as outside.
  var registries: RegistryState {
    let fresh = RegistryState(copying: outer?.registries ?? Registries.outside)
    return state.withLock { state in
      let present = state.registries ?? fresh
      state.registries = present
      return present
    }
  }
}
