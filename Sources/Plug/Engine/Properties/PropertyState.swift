public import Synchronization

/// The state of a property in one injector.
///
/// What is asked for often is inlinable, because code that is not specialized looks up metadata of its types.
///
/// Soundness of the unchecked conformance: everything is immutable or guarded, also the value: it is there if `content`
/// says so, and touched under that lock only, or when nobody else has this.
@safe
@usableFromInline
final class PropertyState<Value: Sendable>: AnyPropertyState, @unchecked Sendable {
  /// Tells one value from another, whoever has it.
  struct Stamp: Equatable {
    let owner: ObjectIdentifier
    let version: UInt
  }

  @usableFromInline let content: Guarded<PropertyContent>

  /// Where a small value is, and where a larger one is. The lock keeps accesses apart, which need not be checked again.
  @exclusivity(unchecked) @usableFromInline var room = Room()
  @usableFromInline let elsewhere: UnsafeMutablePointer<Value>?

  @usableFromInline let copy = WordCopy()
  @usableFromInline let makeDefault: @Sendable () -> Value

  /// - Parameter given: A value that is set from the beginning.
  @inlinable
  init(
    _ key: any Any.Type, outer: AnyPropertyState?, with given: Value?, _ makeDefault: @escaping @Sendable () -> Value
  ) {
    unsafe elsewhere = unsafe Room.isEnough(for: Value.self) ? nil : Memory.allocate(for: Value.self)
    copy.store(given, version: 0)
    content = Guarded(PropertyContent(hasValue: given != nil, isSet: given != nil, version: 0))
    self.makeDefault = makeDefault
    super.init(key, outer: outer)
    if let given { unsafe withStorage { unsafe $0.initialize(to: given) } }
  }

  /// Where the value is, for one who has the lock.
  ///
  /// Soundness of the cast: a small value has room there, and is aligned for it.
  @inlinable
  @inline(__always)
  func withStorage<Result>(_ body: (UnsafeMutablePointer<Value>) -> Result) -> Result {
    if let elsewhere = unsafe elsewhere { return unsafe body(elsewhere) }
    return unsafe withUnsafeMutablePointer(to: &room) { room in
      unsafe body(UnsafeMutableRawPointer(room).assumingMemoryBound(to: Value.self))
    }
  }

  /// The value, for one who has the lock and knows that there is one.
  @inlinable var held: Value { @inline(__always) get { unsafe withStorage { unsafe $0.pointee } } }

  /// The state of the same property in the injector that this one's is a scope of, which is of the same type.
  private var outer: PropertyState? {
    guard let registered else { return nil }
    return unsafe unsafeDowncast(registered, to: PropertyState.self)
  }

  deinit {
    if copy.isThere { unsafe withStorage { unsafe _ = $0.deinitialize(count: 1) } }
    if let elsewhere = unsafe elsewhere { unsafe Memory.deallocate(elsewhere) }
  }

  override var isSet: Bool { content.withLock { $0.isSet } }

  /// The value that has been set.
  @inlinable
  func givenValue() -> Value? {
    var value: Value?
    content.withLock { if $0.isSet { value = held } }
    return value
  }

  /// The value, if it is here.
  @inlinable
  func value() -> Value? {
    access()
    return storedValue()
  }

  /// The same, for one who reads it at a depth. Where Observation follows who reads it from further in, there is
  /// nothing: there has to be a state there, because it may get a value there.
  @inlinable
  @inline(__always)
  func value(at depth: Int32) -> Value? {
    if depth == level.load(ordering: .relaxed) { return value() }
    return Self.isFollowed ? nil : storedValue()
  }

  /// The same, and nobody is shown that it is read.
  @inlinable
  @inline(__always)
  func storedValue() -> Value? { copy.load(as: Value.self) ?? lockedValue() }

  /// The closure returns nothing, because the lock would have to be searched for with every type that it did.
  @inlinable
  func lockedValue() -> Value? {
    var value: Value?
    content.withLock { if $0.hasValue { value = held } }
    return value
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
      if !content.hasValue {
        unsafe withStorage { unsafe $0.initialize(to: made) }
        copy.store(made, version: content.version)
      }
      content.hasValue = true
      return held
    }
  }

  /// The value with its stamp, wherever it is; `nil` if the default value has not been asked for.
  func current() -> (value: Value, stamp: Stamp)? {
    for state in sequence(first: self, next: \.outer) {
      let (value, version) = state.content.withLock { content in
        (content.hasValue ? state.held : nil, content.version)
      }
      if let value { return (value, Stamp(owner: ObjectIdentifier(state), version: version)) }
    }
    return nil
  }

  @inlinable
  func set(_ value: Value) {
    _ = replace(by: value)
  }

  func reset(for injector: Injector) throws(InjectorError) {
    _ = replace(by: nil)
    // Whoever observes it gets the value at once.
    _ = try value(for: injector)
    notify()
  }

  @inlinable
  func update(for injector: Injector, _ change: (inout Value) -> Void) throws(InjectorError) {
    for _ in 0..<Observer.echoLimit {
      let (present, version) =
        copy.loadVersioned(as: Value.self)
        ?? content.withLock { content in (content.hasValue ? held : nil, content.version) }
      var value: Value
      if let present {
        value = present
      } else {
        value = try self.value(for: injector) { outer in outer.storedValue() }
      }
      change(&value)
      if replace(by: value, unlessChangedSince: version) { return }
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

  /// Replaces the value, or gives it up, and tells everyone. Nobody else's code runs under the lock, not even the end
  /// of the old value.
  ///
  /// - Parameter version: That of the value which is to be replaced; any if it is `nil`.
  /// - Returns: Whether it has been replaced.
  @inlinable
  func replace(by value: Value?, unlessChangedSince version: UInt? = nil) -> Bool {
    var old: Value?
    let isReplaced = changing {
      let (isReplaced, replaced) = content.withLock { content -> (Bool, Value?) in
        if let version, content.version != version { return (false, nil) }
        let replaced = content.hasValue ? unsafe withStorage { unsafe $0.move() } : nil
        if let value { unsafe withStorage { unsafe $0.initialize(to: value) } }
        content = PropertyContent(hasValue: value != nil, isSet: value != nil, version: content.version &+ 1)
        copy.store(value, version: content.version)
        return (true, replaced)
      }
      old = replaced
      return isReplaced
    }
    if isReplaced { notify() }
    withExtendedLifetime(old) {}
    return isReplaced
  }
}

/// Room for a small value.
@usableFromInline
struct Room {
  @usableFromInline var words: (UInt, UInt, UInt, UInt)

  @inlinable
  init() { words = (0, 0, 0, 0) }

  @inlinable
  static func isEnough<Value>(for type: Value.Type) -> Bool {
    MemoryLayout<Value>.size <= MemoryLayout<Self>.size && MemoryLayout<Value>.alignment <= MemoryLayout<Self>.alignment
  }
}

/// What the storage of a property has; not generic, so that the lock of it is found without a search for metadata.
@usableFromInline
struct PropertyContent {
  /// `false` if the value is that of the outer state, or, where there is none, if the default value has not been asked
  /// for.
  @usableFromInline var hasValue: Bool
  @usableFromInline var isSet: Bool
  @usableFromInline var version: UInt

  @inlinable
  init(hasValue: Bool, isSet: Bool, version: UInt) {
    self.hasValue = hasValue
    self.isSet = isSet
    self.version = version
  }
}
