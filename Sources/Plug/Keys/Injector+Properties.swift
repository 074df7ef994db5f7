extension Injector {
  /// The value of a property.
  ///
  /// The program ends with the diagnosis if the injector has been closed, or if the property's default value asks for
  /// the property itself; ``get(_:fileID:line:)->Key.Value`` throws that.
  ///
  /// - Complexity: O(1); in a scope, O(*n*) for *n* injectors that it is inside of.
  public subscript<Key: Property>(
    key: Key.Type, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Key.Value {
    @inlinable get {
      if let value = registrations.value(key) { return value }
      return orTrap("\(self)[\(typeName(key)).self] cannot be read.", fileID, line) { () throws(InjectorError) in
        try get(key, fileID: fileID, line: line)
      }
    }
    @inlinable set {
      orTrap("\(self)[\(typeName(key)).self] cannot be set.", fileID, line) { () throws(InjectorError) in
        try assign(newValue, to: key, fileID, line)
      }
    }
  }

  @inlinable
  package func assign<Key: Property>(
    _ value: Key.Value, to key: Key.Type, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) {
    try isolatedForSetUp(fileID, line).state(of: key).set(value)
  }

  /// Gets the value of a property.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: ``InjectorError/closed(_:)``; ``InjectorError/circularDependency(_:path:)`` if the default value asks
  ///   for the property itself.
  public func get<Key: Property>(
    _ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Key.Value {
    do throws(InjectorError) {
      let injector = isolated(fileID, line)
      let state = try injector.state(of: key)
      ThreadContext.current.watch?.note(state)
      return try state.value(for: injector)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Changes the value of a property in one step, so that no other change comes in between; in a scope that has none of
  /// its own yet, no other change in that scope.
  ///
  /// ```swift
  /// services.update(Visits.self) { $0 += 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - change: Changes a copy of the value. It runs again if another thread has set the value meanwhile.
  @inlinable
  public func update<Key: Property>(
    _ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line, _ change: (inout Key.Value) -> Void
  ) {
    orTrap("\(self).update(\(typeName(key)).self) failed.", fileID, line) { () throws(InjectorError) in
      let injector = isolated(fileID, line)
      try injector.state(of: key).update(for: injector, change)
    }
  }

  /// Gives a property its default value again, or, in a scope, that of the injector in which the scope was opened.
  public func reset<Key: Property>(_ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line) {
    orTrap("\(self).reset(\(typeName(key)).self) failed.", fileID, line) { () throws(InjectorError) in
      let injector = isolated(fileID, line)
      try injector.state(of: key).reset(for: injector)
    }
  }

  /// Runs a closure with each new value of a property, until the token is cancelled or released.
  ///
  /// ```swift
  /// let observation = services.observe(Theme.self) { print($0) }
  /// ```
  ///
  /// The closure runs on the thread that has set the value, before the setter returns, or, if it is running already, on
  /// the thread where it does: never twice at the same time, and never inside of itself. If values are set faster than
  /// it takes them, it sees the latest; it never sees an older one after a newer one, and always the last. A value that
  /// is equal to the one before is no change. No lock is held while it runs, so that it may set properties, this one
  /// too; if it sets this one without end, the program ends with the diagnosis.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - sendsCurrentValue: Whether the closure runs at once with the value that the property has.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  ///   - receive: Receives the values.
  /// - Returns: The token. Keep it for as long as you want to observe.
  public func observe<Key: Property>(
    _ key: Key.Type, sendsCurrentValue: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    _ receive: @escaping @Sendable (Key.Value) -> Void
  ) -> ObservationToken {
    orTrap("\(self).observe(\(typeName(key)).self) failed.", fileID, line) { () throws(InjectorError) in
      let injector = isolated(fileID, line)
      let state = try injector.state(of: key)
      return try state.observe(for: injector, sendsCurrentValue: sendsCurrentValue, fileID, line, receive)
    }
  }

  /// The value of a property, and each new one from then on.
  ///
  /// ```swift
  /// for await theme in services.values(of: Theme.self) { apply(theme) }
  /// ```
  ///
  /// Whoever takes the values slower than they are set gets the newest. The sequence ends when the injector is closed
  /// or released. It is for one consumer; ask again for another.
  public func values<Key: Property>(
    of key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AsyncStream<Key.Value> {
    orTrap("\(self).values(of: \(typeName(key)).self) failed.", fileID, line) { () throws(InjectorError) in
      let injector = isolated(fileID, line)
      return try injector.state(of: key).values(for: injector, fileID, line)
    }
  }
}
