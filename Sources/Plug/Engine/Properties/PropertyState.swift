/// The state of a property in one injector, whatever its type.
///
/// Soundness of the unchecked conformance: immutable, or guarded; subclasses state their own.
@usableFromInline
class AnyPropertyState: AnyEntry, @unchecked Sendable {
  /// The state of the same property in the injector that this one's is a scope of.
  private let outer: AnyPropertyState?
  @usableFromInline let tracking = Tracking()

  /// Those who observe this state, and those who observe it as the outer one of another.
  private let observers = Guarded(Observers())

  private struct Observers: Sendable {
    /// Replaced whole, see `Guarded`.
    var links: [Link] = []
    /// Whether the injector has been closed.
    var hasEnded = false
  }

  private struct Link: Sendable {
    let observer: Observer
    let isOwn: Bool
  }

  init(declaration: Declaration, outer: AnyPropertyState?) {
    self.outer = outer
    super.init(declaration: declaration, isClosable: true)
  }

  override var isState: Bool { true }
  override func pendingClose() -> PendingClose? {
    PendingClose(actions: [.now({ self.end() }, .none, later: { self.end() })])
  }

  /// - Returns: `false` if the injector has been closed; then nothing will change any more.
  @discardableResult
  func attach(_ observer: Observer) -> Bool {
    for (level, state) in levels.enumerated() {
      let hasEnded = state.observers.withLock { observers in
        if level > 0 || !observers.hasEnded {
          observers.links = observers.links.adding([Link(observer: observer, isOwn: level == 0)])
        }
        return observers.hasEnded
      }
      if level == 0 && hasEnded { return false }
    }
    return true
  }

  func detach(_ observer: Observer) {
    for state in levels {
      // Released outside of the lock: the last reference to the closure may go with it.
      let removed = state.observers.withLock { observers in
        let links = observers.links
        if let index = links.firstIndex(where: { $0.observer === observer }) {
          observers.links = Array(links[..<index] + links[(index + 1)...])
        }
        return links
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Tells everyone that there may be a new value.
  @usableFromInline
  final func notify() {
    for link in observers.withLock({ $0.links }) { link.observer.look() }
  }

  /// Ends the observations for good, because the injector is closed.
  func end() {
    observers.withLock { $0.hasEnded = true }
    endObservations()
  }

  /// Ends the observations that there are.
  override func endObservations() {
    let links = observers.withLock { $0.links }
    for link in links where link.isOwn {
      detach(link.observer)
      link.observer.end(of: self)
    }
  }

  private var levels: UnfoldFirstSequence<AnyPropertyState> { sequence(first: self, next: \.outer) }
}

/// The state of a property in one injector.
///
/// What is asked for often is inlinable, because code that is not specialized looks up metadata of its types.
///
/// Soundness of the unchecked conformance: everything is immutable or guarded.
@usableFromInline
final class PropertyState<Value: Sendable>: AnyPropertyState, @unchecked Sendable {
  @usableFromInline
  struct Content: Sendable {
    /// `nil` if it is that of the outer state, or, where there is none, if the default value has not been asked for.
    @usableFromInline var value: Value?
    @usableFromInline var isSet: Bool
    @usableFromInline var version: UInt

    @inlinable
    init(value: Value?, isSet: Bool, version: UInt) {
      self.value = value
      self.isSet = isSet
      self.version = version
    }
  }

  /// Tells one value from another, whoever has it.
  struct Stamp: Equatable {
    let owner: ObjectIdentifier
    let version: UInt
  }

  @usableFromInline let content: Guarded<Content>
  private let outer: PropertyState?
  private let makeDefault: @Sendable () -> Value

  /// - Parameter original: The state of an injector that this one's is a private copy of: what has been set there is
  ///   set here too.
  init(
    declaration: Declaration, outer: PropertyState?, copying original: PropertyState?,
    _ makeDefault: @escaping @Sendable () -> Value
  ) {
    let given = original?.content.withLock { $0.isSet ? $0.value : nil }
    content = Guarded(Content(value: given, isSet: given != nil, version: 0))
    self.outer = outer
    self.makeDefault = makeDefault
    super.init(declaration: declaration, outer: outer)
  }

  override var isSet: Bool { content.withLock { $0.isSet } }

  /// The value, if it is here.
  @inlinable
  func value() -> Value? {
    tracking.access()
    return content.withLock { $0.value }
  }

  /// The value, wherever it is.
  @usableFromInline
  func value(for injector: Injector) throws(InjectorError) -> Value {
    if let value = value() { return value }
    return try value(for: injector) { outer in outer.value() }
  }

  /// The value where it is not here.
  ///
  /// - Parameter look: Gives the value of an outer state, if it is there.
  @usableFromInline
  func value(for injector: Injector, look: (PropertyState) -> Value?) throws(InjectorError) -> Value {
    var (state, injector) = (self, injector)
    while let outer = state.outer, let parent = injector.parent {
      if parent.isClosed { throw injector.closed(ServiceKey(declaration.service, nil)) }
      if let value = look(outer) { return value }
      (state, injector) = (outer, parent)
    }
    return try state.makeValue(for: injector)
  }

  private func makeValue(for injector: Injector) throws(InjectorError) -> Value {
    let context = ThreadContext.current
    try context.refuseCycle(through: self, in: injector)
    let made = try context.push(self, keeper: .max, record: nil, in: injector) { () throws(InjectorError) in
      makeDefault()
    }
    return content.withLock { content in
      let value = content.value ?? made
      content.value = value
      return value
    }
  }

  /// The value with its stamp, wherever it is; `nil` if the default value has not been asked for.
  func current() -> (value: Value, stamp: Stamp)? {
    for state in sequence(first: self, next: \.outer) {
      let content = state.content.withLock { $0 }
      if let value = content.value { return (value, Stamp(owner: ObjectIdentifier(state), version: content.version)) }
    }
    return nil
  }

  @inlinable
  func set(_ value: Value) {
    _ = replace { content in Content(value: value, isSet: true, version: content.version &+ 1) }
  }

  func reset(for injector: Injector) throws(InjectorError) {
    _ = replace { content in Content(value: nil, isSet: false, version: content.version &+ 1) }
    // Whoever observes it gets the value at once.
    _ = try value(for: injector)
    notify()
  }

  @inlinable
  func update(for injector: Injector, _ change: (inout Value) -> Void) throws(InjectorError) {
    for _ in 0..<Observer.echoLimit {
      let (present, version) = content.withLock { ($0.value, $0.version) }
      var value: Value
      if let present {
        value = present
      } else {
        value = try self.value(for: injector) { outer in outer.content.withLock { $0.value } }
      }
      change(&value)
      let isDone = replace { content in
        content.version == version ? Content(value: value, isSet: true, version: version &+ 1) : nil
      }
      if isDone { return }
    }
    trapEndlessUpdate()
  }

  @usableFromInline
  func trapEndlessUpdate() -> Never {
    fatalError(
      """
      update(\(declaration.name).self) never ends: its closure sets \(declaration.name) itself, so it runs again \
      and again.
      To fix this:
        - Change only the value that the closure receives.
      """)
  }

  /// Replaces the content, unless `make` gives none, and tells everyone. Nobody else's code runs under the lock, not
  /// even the end of the old value.
  ///
  /// - Returns: Whether it has been replaced.
  @inlinable
  func replace(_ make: (Content) -> Content?) -> Bool {
    var old: Content?
    let isReplaced = tracking.changing {
      old = content.withLock { content -> Content? in
        guard let new = make(content) else { return nil }
        let old = content
        content = new
        return old
      }
      return old != nil
    }
    if isReplaced { notify() }
    withExtendedLifetime(old) {}
    return isReplaced
  }
}
