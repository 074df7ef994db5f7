public import Plug
import Synchronization

extension Injector {
  /// The instance of a feature, which is loaded on the first request.
  ///
  /// ```swift
  /// let now = services[Clock.self].now()
  /// services[Clock.self] = .constant(0)
  /// ```
  ///
  /// Setting the instance in a scope affects that scope only. Reading traps with a diagnostic if the feature cannot be
  /// loaded; ``get(_:fileID:line:)->Key.Instance`` throws that error instead. Setting traps with a diagnostic if the
  /// injector is sealed or closed.
  ///
  /// - Parameters:
  ///   - key: The feature.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Complexity: O(1) for a feature that has been loaded.
  public subscript<Key: Feature>(
    key: Key.Type, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Key.Instance {
    @inlinable get {
      do throws(InjectorError) {
        return try box(ofFeature: key, fileID, line).open(as: Key.Instance.self)
      } catch {
        trapAsking(key, "[", ".self] cannot be loaded.", error, fileID, line)
      }
    }
    set {
      do throws(InjectorError) {
        try active(fileID, line).assign(newValue, to: key, fileID, line)
      } catch {
        trapAsking(key, "[", ".self] cannot be set.", error, fileID, line)
      }
    }
  }

  /// Assigns the instance of a feature, in this injector itself, and notifies its observers.
  package func assign<Key: Feature>(
    _ instance: Key.Instance, to key: Key.Type, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) {
    let location = CodeLocation(fileID: "\(fileID)", line: Int(line))
    let definition = Injection.singleton(instance).definition
    let cell = Cell(Registration(key.key, definition, depth: depth, location: location))
    try replace(key.key, by: cell)
    try put(Box(Generation.next()), FeatureGeneration<Key>.self)
  }

  /// Gets the instance of a feature, which is loaded on the first request.
  ///
  /// - Parameters:
  ///   - key: The feature.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Returns: The instance.
  /// - Throws: `InjectorError.constructionFailed` with the error that ``Feature/load(in:)`` throws;
  ///   `InjectorError.circularDependency` if loading the feature requests the feature itself;
  ///   `InjectorError.captiveDependency` if it requests a scoped service; `InjectorError.closed`.
  public func get<Key: Feature>(
    _ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Key.Instance {
    try box(ofFeature: key, fileID, line).open(as: Key.Instance.self)
  }

  @usableFromInline
  func box(
    ofFeature feature: any Feature.Type, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> AnyBox {
    try provide(feature.key, fileID, line) {
      feature.registration(at: CodeLocation(fileID: "\(fileID)", line: Int(line)))
    }
  }

  /// Releases the instance of a feature, so that the next request loads it again.
  ///
  /// A scope inherits the feature of its parent again. Observers are notified. It traps with a diagnostic if the
  /// injector is sealed or closed.
  ///
  /// - Parameters:
  ///   - key: The feature.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  public func reset<Key: Feature>(_ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line) {
    let injector = active(fileID, line)
    do throws(InjectorError) {
      try injector.replace(key.key, by: nil)
      if injector.parent == nil {
        try injector.put(Box(Generation.next()), FeatureGeneration<Key>.self)
      } else {
        try injector.restore(FeatureGeneration<Key>.self)
      }
    } catch {
      trapAsking(key, ".reset(", ".self) failed.", error, fileID, line)
    }
  }

  /// Calls a closure with the instance of a feature whenever it is set or reset, until the token is cancelled or
  /// released.
  ///
  /// ```swift
  /// let observation = services.observe(Clock.self) { print($0.now()) }
  /// ```
  ///
  /// After a reset, the feature is loaded for the closure. If loading fails, the observation traps with a diagnostic.
  /// For the thread of the closure and the order of the values, see
  /// ``observe(_:sendsCurrentValue:fileID:line:_:)-(Key.Type,_,_,_,_)``.
  ///
  /// - Parameters:
  ///   - key: The feature.
  ///   - sendsCurrentValue: Whether the closure is called immediately with the current instance.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  ///   - receive: Receives the instances.
  /// - Returns: The token. Keep it for as long as you want to observe.
  public func observe<Key: Feature>(
    _ key: Key.Type, sendsCurrentValue: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    _ receive: @escaping @Sendable (Key.Instance) -> Void
  ) -> ObservationToken {
    let injector = active(fileID, line)
    do throws(InjectorError) {
      return try injector.observe(
        FeatureGeneration<Key>.self, sendsCurrentValue: sendsCurrentValue, (fileID, line)
      ) { [weak injector] _ in
        if let instance = injector?.observed(key, fileID, line) { receive(instance) }
      }
    } catch {
      trapAsking(key, ".observe(", ".self) failed.", error, fileID, line)
    }
  }

  /// The instance; `nil` if the injector has been closed in the meantime.
  private func observed<Key: Feature>(_ key: Key.Type, _ fileID: StaticString, _ line: UInt) -> Key.Instance? {
    do throws(InjectorError) {
      return try get(key, fileID: fileID, line: line)
    } catch .closed {
      return nil
    } catch {
      trapAsking(key, ".observe(", ".self) failed.", error, fileID, line)
    }
  }
}

/// The key of a feature's instance where injectors know services by their types.
package enum FeatureKey<Key: Feature>: TypedKey {
  package static func name(tag: String?) -> String { typeName(Key.self) }
  package static func expression(tag: String?) -> String { "injector[\(typeName(Key.self)).self]" }
  package static var kind: SubjectKind { .key }
}

extension Feature {
  package static var key: Key { Key(FeatureKey<Self>.self) }

  fileprivate static func registration(at location: CodeLocation) -> Registration {
    let injection = Injection.lazySingleton { (injector: Injector) in try Self.load(in: injector) }
    return Registration(key, injection.definition, depth: 0, location: location)
  }
}

/// A property that changes whenever a feature is set or reset.
private enum FeatureGeneration<Key: Feature>: Property {
  static var defaultValue: Generation { Generation(number: 0) }
}

/// A number that identifies one change.
private struct Generation: Sendable, Equatable {
  private static let last = Atomic<Int>(0)

  let number: Int

  static func next() -> Self {
    Self(number: last.add(1, ordering: .relaxed).newValue)
  }
}
