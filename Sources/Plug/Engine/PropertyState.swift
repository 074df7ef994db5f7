/// The state of a property in one injector, whatever its type.
///
/// Soundness of the unchecked conformance: immutable, or guarded; subclasses state their own.
@usableFromInline
class AnyPropertyState: AnyEntry, @unchecked Sendable {
  /// The state of the same property in the injector that this one's is a scope of.
  private let outer: AnyPropertyState?
  @usableFromInline let tracking = Tracking()

  /// Those who observe this state, and those who observe it as the outer one of another.
  private let observers = Guarded<[(observer: Observer, isOwn: Bool)]>([])

  init(subject: Subject, outer: AnyPropertyState?) {
    self.outer = outer
    super.init(subject: subject, isClosable: true)
  }

  override var isState: Bool { true }
  override var hasInstance: Bool { true }
  override func runClosing() { end() }

  func attach(_ observer: Observer) {
    for (level, state) in levels.enumerated() {
      state.observers.withLock { $0.append((observer, level == 0)) }
    }
  }

  func detach(_ observer: Observer) {
    for state in levels {
      // Released outside of the lock: the last reference to the closure may go with it.
      let removed = state.observers.withLock { observers in
        observers.firstIndex { $0.observer === observer }.map { observers.remove(at: $0) }
      }
      withExtendedLifetime(removed) {}
    }
  }

  /// Tells everyone that there may be a new value.
  final func notify() {
    for (observer, _) in observers.withLock({ $0 }) { observer.look() }
  }

  /// Ends the observations, because the injector is closed.
  private func end() {
    for (observer, isOwn) in observers.withLock({ $0 }) where isOwn {
      detach(observer)
      observer.end()
    }
  }

  private var levels: UnfoldFirstSequence<AnyPropertyState> { sequence(first: self, next: \.outer) }
}

/// The state of a property in one injector.
///
/// Soundness of the unchecked conformance: everything is immutable or guarded.
@usableFromInline
final class PropertyState<Value: Sendable>: AnyPropertyState, @unchecked Sendable {
  @usableFromInline
  struct Content: Sendable {
    /// `nil` if it is that of the outer state, or, where there is none, if the default value has not been asked for.
    @usableFromInline var value: Value?
    var isSet = false
    var version: UInt = 0
  }

  /// Tells one value from another, whoever has it.
  struct Stamp: Equatable {
    let owner: ObjectIdentifier
    let version: UInt
  }

  @usableFromInline let content = Guarded(Content())
  private let outer: PropertyState?
  private let makeDefault: @Sendable () -> Value

  init(subject: Subject, outer: PropertyState?, _ makeDefault: @escaping @Sendable () -> Value) {
    self.outer = outer
    self.makeDefault = makeDefault
    super.init(subject: subject, outer: outer)
  }

  override var isSet: Bool { content.withLock { $0.isSet } }

  /// The value, if it is here.
  @inlinable
  func value() -> Value? {
    tracking.access()
    return content.withLock { $0.value }
  }

  /// The value, wherever it is.
  func value(for injector: Injector) throws(InjectorError) -> Value {
    if let value = value() { return value }
    if let outer, let parent = injector.parent { return try outer.value(for: parent) }
    let context = ThreadContext.current
    try context.refuseCycle(through: self, in: injector)
    let made = try context.push(self, keeper: .max, isRecording: false, in: injector) { () throws(InjectorError) in
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
    let content = content.withLock { $0 }
    guard let value = content.value else { return outer?.current() }
    return (value, Stamp(owner: ObjectIdentifier(self), version: content.version))
  }

  func set(_ value: Value) {
    change { _ in value }
  }

  func reset(for injector: Injector) throws(InjectorError) {
    change { _ in nil }
    // Whoever observes it gets the value at once.
    _ = try value(for: injector)
    notify()
  }

  func update(for injector: Injector, _ body: (inout Value) -> Void) throws(InjectorError) {
    while true {
      let version = content.withLock { $0.version }
      var value = try value(for: injector)
      body(&value)
      if change({ $0 == version ? value : nil }, onlyIfGiven: true) { return }
    }
  }

  /// Sets the value, and tells everyone. Nobody else's code runs under the lock, not even the end of the old value.
  @discardableResult
  private func change(_ makeValue: (_ version: UInt) -> Value?, onlyIfGiven: Bool = false) -> Bool {
    tracking.willChange()
    let (isChanged, old) = content.withLock { content -> (Bool, Value?) in
      let value = makeValue(content.version)
      if onlyIfGiven && value == nil { return (false, nil) }
      let old = content.value
      content = Content(value: value, isSet: value != nil, version: content.version &+ 1)
      return (true, old)
    }
    withExtendedLifetime(old) {}
    tracking.didChange()
    if isChanged { notify() }
    return isChanged
  }
}
