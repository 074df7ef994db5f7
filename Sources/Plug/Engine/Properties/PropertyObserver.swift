/// Runs a closure with each new value of a property.
///
/// Soundness of the unchecked conformance: `state` is set once, before anyone else has this; everything else is
/// immutable or guarded.
final class PropertyObserver<Value: Sendable>: Observer, @unchecked Sendable {
  typealias Current = (value: Value, stamp: PropertyState<Value>.Stamp)

  private weak var state: PropertyState<Value>?
  private let last: Guarded<Current?>
  private let location: (name: String, fileID: StaticString, line: UInt)
  private let receive: @Sendable (Value) -> Void
  private let onEnd: @Sendable () -> Void

  init(
    _ state: PropertyState<Value>, last: Current?, fileID: StaticString, line: UInt,
    onEnd: @escaping @Sendable () -> Void, _ receive: @escaping @Sendable (Value) -> Void
  ) {
    self.state = state
    self.last = Guarded(last)
    location = (state.declaration.name, fileID, line)
    self.receive = receive
    self.onEnd = onEnd
  }

  override func see() {
    guard let current = state?.current() else { return }
    // Only the one who looks comes here, so that the values can be compared without the lock.
    let seen = last.withLock { $0 }
    guard seen?.stamp != current.stamp else { return }
    last.withLock { $0 = current }
    if let seen, areEqual(seen.value, current.value) { return }
    receive(current.value)
  }

  override func finish() { onEnd() }

  override func trapWithoutEnd() -> Never {
    fatalError(
      """
      observe(\(location.name).self) at \(location.fileID):\(location.line) never settles: its closure sets \
      \(location.name) to a new value each time.
      To fix this:
        - Set the property only if its value has to change, so that the values settle.
      """, file: location.fileID, line: location.line)
  }
}

/// Whether two values are equal, if their type can tell.
private func areEqual<Value>(_ first: Value, _ second: Value) -> Bool {
  (first as? any Equatable)?.isEqual(to: second) ?? false
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool {
    (other as? Self) == self
  }
}

extension PropertyState {
  /// Lets `receive` run with each new value.
  func observe(
    for injector: Injector, sendsCurrentValue: Bool, _ fileID: StaticString, _ line: UInt,
    onEnd: @escaping @Sendable () -> Void = {}, _ receive: @escaping @Sendable (Value) -> Void
  ) throws(InjectorError) -> ObservationToken {
    _ = try value(for: injector)
    let observer = PropertyObserver(
      self, last: sendsCurrentValue ? nil : current(), fileID: fileID, line: line, onEnd: onEnd, receive)
    let isOpen = attach(observer)
    // What has been set since the value was read is not missed.
    observer.look()
    if !isOpen { observer.end() }
    return ObservationToken { [weak self] in
      self?.detach(observer)
      observer.cancel()
    }
  }

  /// The value and each new one, the newest if they are taken too slowly, until the injector ends.
  func values(
    for injector: Injector, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let onEnd: @Sendable () -> Void = { continuation.finish() }
    let token = try observe(for: injector, sendsCurrentValue: true, fileID, line, onEnd: onEnd) { value in
      continuation.yield(value)
    }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }
}
