public import Plug

extension Injector {
  /// The value of a property.
  ///
  /// ```swift
  /// services[Theme.self] = "dark"
  /// let theme = services[Theme.self]
  /// ```
  ///
  /// A scope has the value of its parent until it is assigned one of its own. Properties can be set in a sealed
  /// injector. The setter calls the observers before it returns, unless another thread is already calling them.
  ///
  /// Reading traps with a diagnostic if the injector is closed, or if the property's default value requests the
  /// property itself; ``get(_:fileID:line:)->Key.Value`` throws these errors instead. Setting traps if the injector is
  /// closed.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Complexity: O(1); in a scope, O(*n*) for *n* parents.
  public subscript<Key: Property>(
    key: Key.Type, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Key.Value {
    @inlinable get {
      do throws(InjectorError) {
        return try box(of: key, fileID, line).open(as: Key.Value.self)
      } catch {
        trapAsking(key, "[", ".self] cannot be read.", error, fileID, line)
      }
    }
    @inlinable set {
      do throws(InjectorError) {
        try put(Box(newValue), key, fileID, line)
      } catch {
        trapAsking(key, "[", ".self] cannot be set.", error, fileID, line)
      }
    }
  }

  /// Sets the value of a property like the subscript, but throws if the injector is closed.
  ///
  /// ```swift
  /// try scope.set(Headers.self, to: request.headers)
  /// ```
  ///
  /// Use it if another task may close the injector, for example in a request that arrives while a server stops.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - value: The value.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: `InjectorError.closed`, or `InjectorError.depthExceeded` in a scope that is too deep.
  @inlinable
  public func set<Key: Property>(
    _ key: Key.Type, to value: Key.Value, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) {
    do throws(InjectorError) {
      try put(Box(value), key, fileID, line)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Gets the value of a property.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The value.
  /// - Throws: `InjectorError.closed`; `InjectorError.circularDependency` if the default value
  ///   requests the property itself.
  @inlinable
  public func get<Key: Property>(
    _ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Key.Value {
    do throws(InjectorError) {
      return try box(of: key, fileID, line).open(as: Key.Value.self)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  /// Changes the value of a property atomically, so that no other change happens in between.
  ///
  /// ```swift
  /// services.update(Visits.self) { $0 += 1 }
  /// ```
  ///
  /// In a scope that has no value of its own yet, the change starts from the inherited value, and is atomic with
  /// respect to other changes in that scope only. It traps with a diagnostic if the injector is closed. For Swift's
  /// Observation, an update is a change and not a read.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  ///   - change: Changes a copy of the value. It runs again if another thread has set the value meanwhile, so it should
  ///     have no other effects.
  @inlinable
  public func update<Key: Property>(
    _ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line, _ change: (inout Key.Value) -> Void
  ) {
    do throws(InjectorError) {
      let isMade = try self.change(key, fileID, line) { box in
        var value = box.open(as: Key.Value.self)
        change(&value)
        return Box(value)
      }
      if !isMade { trapEndlessUpdate(of: key) }
    } catch {
      trapAsking(key, ".update(", ".self) failed.", error, fileID, line)
    }
  }

  /// Restores the default value of a property; in a scope, the value of its parent.
  ///
  /// Observers are notified if the value changes. It traps with a diagnostic if the injector is closed.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  public func reset<Key: Property>(_ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line) {
    do throws(InjectorError) {
      try restore(key, fileID, line)
    } catch {
      trapAsking(key, ".reset(", ".self) failed.", error, fileID, line)
    }
  }

  /// Calls a closure with each new value of a property, until the token is cancelled or released.
  ///
  /// ```swift
  /// let observation = services.observe(Theme.self) { print($0) }
  /// ```
  ///
  /// The closure runs on the thread that sets the value, before the setter returns. If it is already running on another
  /// thread, it runs again on that thread instead. It never runs twice at the same time, and never inside itself.
  ///
  /// If values are set faster than the closure handles them, it skips to the latest value. It never receives an older
  /// value after a newer one, and always receives the last one. Setting a value that equals the previous one is not a
  /// change.
  ///
  /// No lock is held while the closure runs. It may set properties, including this one. If it keeps setting this one to
  /// new values, the observation traps with a diagnostic. In a closed injector, the closure is never called.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - sendsCurrentValue: Whether the closure is called immediately with the current value.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  ///   - receive: Receives the values.
  /// - Returns: The token. Keep it for as long as you want to observe.
  public func observe<Key: Property>(
    _ key: Key.Type, sendsCurrentValue: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    _ receive: @escaping @Sendable (Key.Value) -> Void
  ) -> ObservationToken {
    do throws(InjectorError) {
      return try observe(key, sendsCurrentValue: sendsCurrentValue, (fileID, line)) { receive($0.open()) }
    } catch {
      trapAsking(key, ".observe(", ".self) failed.", error, fileID, line)
    }
  }

  /// The current value of a property, and each new one, as an asynchronous sequence.
  ///
  /// ```swift
  /// for await theme in services.values(of: Theme.self) { apply(theme) }
  /// ```
  ///
  /// A consumer that is slower than the changes receives the newest value. The sequence finishes when the injector is
  /// closed or released, and is empty if it is closed already. It supports one consumer: call this method again for
  /// another one.
  ///
  /// - Parameters:
  ///   - key: The property.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Returns: A sequence that begins with the current value.
  public func values<Key: Property>(
    of key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) -> AsyncStream<Key.Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Key.Value.self, bufferingPolicy: .bufferingNewest(1))
    do throws(InjectorError) {
      let token = try observe(key, sendsCurrentValue: true, (fileID, line), onEnd: { continuation.finish() }) { value in
        continuation.yield(value.open())
      }
      continuation.onTermination = { _ in token.cancel() }
      return stream
    } catch {
      trapAsking(key, ".values(of: ", ".self) failed.", error, fileID, line)
    }
  }

  @usableFromInline
  func trapAsking(
    _ key: any Any.Type, _ before: String, _ after: String, _ error: InjectorError, _ fileID: StaticString, _ line: UInt
  ) -> Never {
    trap("\(self)\(before)\(typeName(key))\(after)", error.asked(at: fileID, line), fileID, line)
  }

  @usableFromInline
  func trapEndlessUpdate(of key: any Any.Type) -> Never {
    let name = typeName(key)
    fatalError(
      """
      update(\(name).self) never ends: its closure sets \(name) itself, so it runs again and again.
      To fix this:
        - Change only the value that the closure receives.
      """)
  }
}
