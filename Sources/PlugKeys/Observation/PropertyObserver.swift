import Plug

/// Passes each new value of a property to a closure.
final class PropertyObserver: Observer {
  let looks = Looks()
  private let properties: Properties
  private let property: any Property.Type
  private let location: (fileID: StaticString, line: UInt)
  private let receive: @Sendable (AnyBox) -> Void
  private let onEnd: @Sendable () -> Void
  /// The value of the last look.
  private let last: Guarded<AnyBox?>

  init(
    _ properties: Properties, _ property: any Property.Type, last: AnyBox?, _ location: (StaticString, UInt),
    onEnd: @escaping @Sendable () -> Void, _ receive: @escaping @Sendable (AnyBox) -> Void
  ) {
    self.properties = properties
    self.property = property
    self.location = location
    self.receive = receive
    self.onEnd = onEnd
    self.last = Guarded(last)
  }

  func see() {
    guard let value = properties.current(property) else { return }
    let seen = last.withLock { last in
      defer { last = value }
      return last
    }
    if let seen, seen === value || property.areEqual(seen, value) { return }
    receive(value)
  }

  func finish() { onEnd() }

  func propertiesHaveEnded(_ properties: Properties) { end() }

  func trapWithoutEnd() -> Never {
    let name = typeName(property)
    fatalError(
      """
      observe(\(name).self) at \(location.fileID):\(location.line) never settles: its closure sets \
      \(name) to a new value each time.
      To fix this:
        - Set the property only if its value has to change, so that the values settle.
      """, file: location.fileID, line: location.line)
  }

  func stop() {
    properties.detach(self, from: property)
    cancel()
  }
}

extension Injector {
  /// Passes each new value of a property to a closure.
  func observe(
    _ property: any Property.Type, sendsCurrentValue: Bool, _ location: (StaticString, UInt),
    onEnd: @escaping @Sendable () -> Void = {}, _ receive: @escaping @Sendable (AnyBox) -> Void
  ) throws(InjectorError) -> ObservationToken {
    let injector = active(location.0, location.1)
    let (properties, current): (Properties, AnyBox)
    do throws(InjectorError) {
      properties = try Properties.of(injector, for: property)
      current = try injector.value(of: property, properties.find(property))
    } catch .closed where injector.levels.contains(where: \.isClosed) {
      onEnd()
      return ObservationToken {}
    }
    let observer = PropertyObserver(
      properties, property, last: sendsCurrentValue ? nil : current, location, onEnd: onEnd, receive)
    let isOpen = properties.attach(observer, to: property)
    // Looks again, so that a value set since the first read is not missed.
    observer.look()
    if !isOpen { observer.end() }
    return ObservationToken { observer.stop() }
  }
}
