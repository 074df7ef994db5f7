import Synchronization

/// What an isolated test has in place of the injectors it reaches: private copies, made when they are reached.
///
/// It ends when the test does. If tasks live longer that have inherited it, they see copies that begin anew, with what
/// the test has registered, until the last of them ends.
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
  private init(onEscape: (@Sendable (Escape) -> Void)? = nil) {
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
    let rest = state.withLock { state in
      defer { state = SandboxState() }
      return state
    }
    if !rest.injectors.isEmpty {
      let last = Sandbox(ending: number, outer, rest)
      Self.$current.withValue(last) { last.giveUp { $0.giveUpAll() } }
    }
    rest.standIns?.end()
    Attention.shared.end()
  }

  /// Runs a test.
  ///
  /// - Parameter onEscape: Receives the uses of what is real, from outside of every isolation, if these are forbidden.
  package static func run<Result>(
    onEscape: (@Sendable (Escape) -> Void)? = nil, _ test: (Sandbox) throws -> Result
  ) rethrows -> Result {
    var sandbox = Sandbox(onEscape: onEscape)
    defer { finish(&sandbox) }
    return try $current.withValue(sandbox) { try test(sandbox) }
  }

  /// Runs an asynchronous test.
  package static func run<Result>(
    onEscape: (@Sendable (Escape) -> Void)? = nil, _ test: (Sandbox) async throws -> Result
  ) async rethrows -> Result {
    var sandbox = Sandbox(onEscape: onEscape)
    defer { finish(&sandbox) }
    return try await $current.withValue(sandbox) { try await test(sandbox) }
  }

  /// Gives up what the test has made, unless nobody else has the sandbox, so that it ends anyway.
  private static func finish(_ sandbox: inout Sandbox) {
    if isKnownUniquelyReferenced(&sandbox) { return }
    $current.withValue(sandbox) { sandbox.giveUp { $0.startOver() } }
  }

  /// Gives up what the copies have, the last first.
  private func giveUp(_ giveUp: (Injector) -> Void) {
    var next = copies.count
    while next > 0 {
      next -= 1
      giveUp(copies[next])
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
    let (isAside, earlier) = state.withLock { state -> (Bool, AnyEntry?) in
      state.copy(of: injector) == nil ? (true, state.putAside(entry, for: injector)) : (false, nil)
    }
    withExtendedLifetime(earlier) {}
    return isAside
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
