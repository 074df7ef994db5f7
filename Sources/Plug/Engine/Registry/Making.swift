import Synchronization

/// The making of a shared instance by code that is specialized in the user's module, without an attempt: only those
/// need one who come while it is under way.
///
/// A word of the entry, `maker`, says who makes the instance. Whoever finds nobody there puts the address of its
/// thread's context, makes the instance, publishes it, and takes the address away. Whoever finds an address puts
/// `anAttempt` in its place, and an attempt of that thread into the state of the cell; the one who makes the instance
/// finds that in the end, and tells it.
///
/// Soundness of the unmanaged references: whoever calls keeps the entry and the injector alive, and a thread its
/// context. Of the address: it is exchanged for `anAttempt` under the lock of the cell's claim, and its thread takes
/// that lock before it goes on, if the address is not there any more.
@safe
@usableFromInline
struct Making {
  static let nobody: UInt = 0
  static let anAttempt: UInt = 1

  private let entry: Unmanaged<AnyEntry>
  private let thread: Unmanaged<ThreadContext>
  private let injector: Unmanaged<Injector>

  /// Whether it is recorded what is asked for.
  private let isRecorded: Bool

  private init(
    entry: Unmanaged<AnyEntry>, thread: Unmanaged<ThreadContext>, injector: Unmanaged<Injector>, isRecorded: Bool
  ) {
    unsafe (self.entry, self.thread, self.injector) = unsafe (entry, thread, injector)
    self.isRecorded = isRecorded
  }

  /// The context whose address stands in an entry.
  static func context(at address: UInt) -> ThreadContext? {
    unsafe UnsafeRawPointer(bitPattern: address).map {
      unsafe Unmanaged<ThreadContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  var context: ThreadContext { unsafe thread.takeUnretainedValue() }
  private var address: UInt { unsafe UInt(bitPattern: thread.toOpaque()) }

  /// Begins to make an instance.
  ///
  /// - Returns: `nil` if another thread makes it, or if it has to be made step by step.
  /// - Throws: ``InjectorError/depthExceeded(_:depth:)``.
  @usableFromInline
  static func begin(
    _ entry: Unmanaged<AnyEntry>, in injector: Injector, on thread: Unmanaged<ThreadContext>
  ) throws(InjectorError) -> Making? {
    guard unsafe claim(entry, in: injector, on: thread) else { return nil }
    let isRecorded = unsafe entry._withUnsafeGuaranteedRef { $0.isRecorded && $0.needsRecord }
    let making = unsafe Making(
      entry: entry, thread: thread, injector: Unmanaged.passUnretained(injector), isRecorded: isRecorded)
    let refusal = unsafe thread._withUnsafeGuaranteedRef { context in
      context.sessionDepth += 1
      return unsafe context.begin(
        Unmanaged.fromOpaque(entry.toOpaque()), keeper: injector.depth, isRecorded: isRecorded, in: injector)
    }
    guard let refusal else { return making }
    throw making.refuse(refusal)
  }

  /// The making of an instance that a thread has begun without a cell.
  init(of cell: Unmanaged<AnyEntry>, in injector: Unmanaged<Injector>, on thread: Unmanaged<ThreadContext>) {
    unsafe self.init(entry: cell, thread: thread, injector: injector, isRecorded: false)
  }

  /// Ends what could not be begun.
  func refuse(_ refusal: InjectorError) -> InjectorError {
    release(refusal)
    return settle(refusal) ?? refusal
  }

  /// Puts the thread into the entry, if it has nothing to do at the end of its session, and nobody else is there.
  private static func claim(
    _ entry: Unmanaged<AnyEntry>, in injector: Injector, on thread: Unmanaged<ThreadContext>
  ) -> Bool {
    guard unsafe thread._withUnsafeGuaranteedRef({ $0.isSettled }) else { return false }
    let address = unsafe UInt(bitPattern: thread.toOpaque())
    return unsafe entry._withUnsafeGuaranteedRef { entry in
      entry.level.load(ordering: .relaxed) == injector.depth
        && entry.maker.compareExchange(expected: nobody, desired: address, ordering: .acquiringAndReleasing).exchanged
    }
  }

  /// Whether the session leaves something to be done before an instance that it has made may be published.
  @usableFromInline var isUnsettled: Bool {
    unsafe thread._withUnsafeGuaranteedRef { !$0.isSettled && $0.sessionEnd.isDeferring }
  }

  /// Ends the making of an instance.
  ///
  /// - Parameter publish: Makes it the one that everyone gets.
  /// - Returns: What went wrong.
  @usableFromInline
  func end(_ publish: () -> Void) -> InjectorError? {
    leave(isMade: true)
    let failure = unsafe entry._withUnsafeGuaranteedRef { entry in
      unsafe injector._withUnsafeGuaranteedRef { entry.finishMaking(in: $0, publish) }
    }
    release(failure)
    return settle(failure)
  }

  /// Ends the making of what could not be made.
  ///
  /// - Returns: What went wrong, here or before.
  @usableFromInline
  func end(_ failure: InjectorError) -> InjectorError {
    leave(isMade: false)
    release(failure)
    return settle(failure) ?? failure
  }

  /// Ends it because the instance exists: another thread was first.
  @usableFromInline
  func cancel() {
    leave(isMade: false)
    release(nil)
    _ = settle(nil)
  }

  /// Leaves the level of the resolution. The session goes on until all who wait have been told: what is closed at its
  /// end is code of users.
  ///
  /// - Parameter isMade: Whether there is an instance. Then the entry keeps what has been asked for.
  func leave(isMade: Bool) {
    let record = unsafe thread._withUnsafeGuaranteedRef { context in
      defer { context.pop() }
      return isRecorded ? context.endRecording() : nil
    }
    if isRecorded, isMade {
      unsafe entry._withUnsafeGuaranteedRef { $0.finishRecording(record, isConfigured: false) }
    }
  }

  /// Lets others make the instance, and tells those who have come meanwhile.
  private func release(_ failure: InjectorError?) {
    unsafe entry._withUnsafeGuaranteedRef { entry in
      let held = entry.maker.compareExchange(
        expected: address, desired: Self.nobody, ordering: .sequentiallyConsistent)
      // Whoever takes it out of the registry marks it, and then looks for what is kept.
      if held.exchanged, !entry.isReplaced { return }
      unsafe injector._withUnsafeGuaranteedRef { entry.endAttempt(failure, in: $0) }
    }
  }

  /// Ends the session, if this was the outermost request.
  ///
  /// - Returns: What went wrong, here or before.
  func settle(_ failure: InjectorError?) -> InjectorError? {
    unsafe thread._withUnsafeGuaranteedRef { context in
      context.sessionDepth -= 1
      guard context.isIdle, let last = context.settle() else { return failure }
      return failure ?? last
    }
  }
}
