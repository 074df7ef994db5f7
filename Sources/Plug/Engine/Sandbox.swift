import Synchronization

/// What an isolated test has in place of the injectors it reaches: private copies, made when they are reached.
///
/// It ends when no task has it any more: then the copies are closed.
package final class Sandbox: Sendable {
  @TaskLocal package static var current: Sandbox?

  /// Tells it from every other; 0 is none.
  let number: UInt
  let outer: Sandbox?
  let state: Guarded<SandboxState>

  /// What has been chosen here.
  package let selections = SelectionLog()

  /// Who began the test, if that is strict.
  private let creator: Worker?

  /// Whether this only stands for another that ends.
  private let isLast: Bool

  private static let lastNumber = Atomic<UInt>(0)

  /// Makes a sandbox inside of the calling task's.
  ///
  /// - Parameter onEscape: Receives the uses of what is real, from outside of every isolation, if these are forbidden.
  package init(onEscape: (@Sendable (Escape) -> Void)? = nil) {
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    outer = Self.current
    state = Guarded(SandboxState(standIns: onEscape.map(StandIns.init)))
    creator = onEscape == nil ? nil : .current
    isLast = false
    Attention.shared.begin()
  }

  /// Takes over what a sandbox has that ends.
  private init(ending number: UInt, _ outer: Sandbox?, _ rest: SandboxState) {
    self.number = number
    self.outer = outer
    state = Guarded(rest)
    creator = nil
    isLast = true
  }

  deinit {
    if isLast { return }
    var rest = state.withLock { state in
      defer { state = SandboxState() }
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
    var next = copies.count
    while next > 0 {
      next -= 1
      copies[next].giveUpAll()
    }
  }

  /// The copy of an injector, or itself if it belongs here.
  func copy(of injector: Injector) -> Injector {
    if injector.home == number { return injector }
    if let known = state.withLock({ $0.copy(of: injector) }) { return known }
    adopt(injector)
    let base = outer?.copy(of: injector) ?? injector
    let parent = injector.parent.map(copy(of:))
    return state.withLock { state in
      if let first = state.copy(of: injector) { return first }
      let fresh = Injector(copying: base, scopeOf: parent, home: number)
      state.add(fresh, for: injector)
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
    adopt(injector)
    return state.withLock { state in
      if state.copy(of: injector) != nil { return false }
      state.putAside(entry, for: injector)
      return true
    }
  }

  /// What has been put aside for the copy of an injector.
  func override(_ type: ObjectIdentifier, _ tag: Injector.Tag?, of injector: Injector) -> AnyEntry? {
    adopt(injector)
    return state.withLock { $0.override(type, tag, of: injector) }
  }

  /// Whether a use of an injector itself may be this test's: if it uses that too, or has created it.
  package func mayHave(_ escape: Escape) -> Bool {
    escape.injector.creator == creator || state.withLock { $0.hasReached(escape.injector) }
  }

  /// The copies, in the order in which they were made.
  package var copies: [Injector] { state.withLock { $0.injectors } }

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
