public import Plug

// Reading and changing properties, for code that does not know their types.

extension Injector {
  /// Gets the value of a property in its box.
  ///
  /// - Parameter fileID: The file of the call; empty for a request of the library itself.
  @usableFromInline
  package func box(
    of property: any Property.Type, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) -> AnyBox {
    let injector = active(fileID, line)
    let properties = try Properties.of(injector, for: property)
    SelectionWatch.current?.note(properties, property)
    return try injector.value(of: property, properties.find(property, isShown: true))
  }

  /// Gets the value that this injector has or inherits.
  func value(of property: any Property.Type, _ finding: Properties.Finding) throws(InjectorError) -> AnyBox {
    switch finding {
    case .value(let box, let levels):
      if parent != nil { try InjectorError.entering { try level(at: depth - levels).refuseCapture(of: property.key) } }
      return box
    case .byDefault(let cell): return try InjectorError.entering { try level(at: 0).provide(cell) }
    case .closed: throw closedError(for: property.key)
    }
  }

  /// Sets a property, or throws if the injector is closed.
  @usableFromInline
  package func put(
    _ box: AnyBox, _ property: any Property.Type, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) {
    let injector = active(fileID, line)
    if case .closed = try Properties.of(injector, for: property).replace(property, by: .set(box)) {
      throw injector.closedError(for: property.key)
    }
  }

  /// Changes a property. `change` runs again if another change comes first.
  ///
  /// - Returns: Whether the change was made. A closure that sets the property itself never succeeds.
  @usableFromInline
  func change(
    _ property: any Property.Type, _ fileID: StaticString, _ line: UInt, _ change: (AnyBox) -> AnyBox
  ) throws(InjectorError) -> Bool {
    let injector = active(fileID, line)
    let properties = try Properties.of(injector, for: property)
    for _ in 0..<Looks.echoLimit {
      guard let source = properties.prepare(property) else { throw injector.closedError(for: property.key) }
      let new = change(try injector.value(of: property, properties.find(property, from: source)))
      switch properties.replace(property, by: .set(new), unlessChangedSince: source) {
      case .made: return true
      case .late: continue
      case .closed: throw injector.closedError(for: property.key)
      }
    }
    return false
  }

  func restore(
    _ property: any Property.Type, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) {
    let injector = active(fileID, line)
    let properties = try Properties.of(injector, for: property)
    let source: Properties.Source = injector.parent == nil ? .byDefault(property.makeDefault()) : .inherited
    if case .closed = properties.replace(property, by: source) { throw injector.closedError(for: property.key) }
    // Observers get the value immediately, so it must be made.
    if case .byDefault = source {
      _ = try injector.value(of: property, properties.find(property))
      properties.tell(of: property)
    }
  }
}
