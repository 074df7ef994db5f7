import Synchronization

extension Injector {
  /// The instance of a feature, loaded at the first request.
  ///
  /// If it cannot be loaded, or cannot be set because the injector is sealed, the program ends with the diagnosis;
  /// ``get(_:fileID:line:)->Key.Instance`` throws it.
  ///
  /// - Complexity: O(1) for one that has been loaded.
  public subscript<Key: Feature>(
    key: Key.Type, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Key.Instance {
    @inlinable get {
      registrations.instance(key, for: self, fileID, line)
    }
    set {
      orTrap("\(self)[\(typeName(key)).self] cannot be set.", fileID, line) { () throws(InjectorError) in
        try assign(newValue, to: key, fileID, line)
      }
    }
  }

  package func assign<Key: Feature>(
    _ instance: Key.Instance, to key: Key.Type, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) {
    let declaration = Declaration(
      FeatureKey<Key>.self, tag: nil, location: CodeLocation(fileID: "\(fileID)", line: Int(line)))
    let injector = isolatedForSetUp(fileID, line)
    try injector.replace(FeatureKey<Key>.self, by: Injection.singleton(instance).makeCell(declaration))
    try injector.assign(.next(), to: FeatureGeneration<Key>.self, fileID, line)
  }

  @usableFromInline
  func loadOrTrap<Key: Feature>(_ key: Key.Type, _ fileID: StaticString, _ line: UInt) -> Key.Instance {
    orTrap("\(self)[\(typeName(key)).self] cannot be loaded.", fileID, line) { () throws(InjectorError) in
      try get(key, fileID: fileID, line: line)
    }
  }

  /// Gets the instance of a feature, loaded at the first request.
  ///
  /// - Parameters:
  ///   - key: The feature.
  ///   - fileID: The file of the call, for diagnostics.
  ///   - line: The line of the call, for diagnostics.
  /// - Throws: What ``Feature/load(in:)`` throws, as ``InjectorError/constructionFailed(_:underlying:)``;
  ///   ``InjectorError/circularDependency(_:path:)``, ``InjectorError/captiveDependency(_:path:)``,
  ///   ``InjectorError/closed(_:)``.
  public func get<Key: Feature>(
    _ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(InjectorError) -> Key.Instance {
    try get(FeatureKey<Key>.self, fileID, line) {
      let declaration = Declaration(
        FeatureKey<Key>.self, tag: nil, location: CodeLocation(fileID: "\(fileID)", line: Int(line)))
      return Cell(
        Injection.Factory { injector in try Key.load(in: injector) }, .lazySingleton, declaration: declaration)
    }
  }

  /// Lets a feature be loaded anew at the next request, or, in a scope, be that of the injector in which the scope was
  /// opened.
  public func reset<Key: Feature>(_ key: Key.Type, fileID: StaticString = #fileID, line: UInt = #line) {
    orTrap("\(self).reset(\(typeName(key)).self) failed.", fileID, line) { () throws(InjectorError) in
      let injector = isolated(fileID, line)
      try injector.replace(FeatureKey<Key>.self, by: nil)
      if injector.parent == nil {
        injector[FeatureGeneration<Key>.self] = .next()
      } else {
        injector.reset(FeatureGeneration<Key>.self)
      }
    }
  }

  /// Runs a closure with the instance of a feature whenever it has been set or reset, until the token is cancelled or
  /// released, see ``observe(_:sendsCurrentValue:fileID:line:_:)-(Key.Type,_,_,_,_)``.
  ///
  /// A feature that has been reset is loaded for the closure; if it cannot be loaded, the program ends with the
  /// diagnosis.
  public func observe<Key: Feature>(
    _ key: Key.Type, sendsCurrentValue: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    _ receive: @escaping @Sendable (Key.Instance) -> Void
  ) -> ObservationToken {
    let injector = isolated(fileID, line)
    return injector.observe(
      FeatureGeneration<Key>.self, sendsCurrentValue: sendsCurrentValue, fileID: fileID, line: line
    ) { [weak injector] _ in
      if let instance = injector?.observed(key, fileID, line) { receive(instance) }
    }
  }

  /// The instance; `nil` if the injector has been closed meanwhile.
  private func observed<Key: Feature>(_ key: Key.Type, _ fileID: StaticString, _ line: UInt) -> Key.Instance? {
    do throws(InjectorError) {
      return try get(key, fileID: fileID, line: line)
    } catch .closed {
      return nil
    } catch {
      trap("\(self).observe(\(typeName(key)).self) failed.", error, fileID, line)
    }
  }
}

/// Changes whenever a feature is set or reset.
private enum FeatureGeneration<Key: Feature>: Property {
  static var defaultValue: Generation { Generation(number: 0) }
}

/// A number that no other change has.
private struct Generation: Sendable, Equatable {
  private static let last = Atomic<Int>(0)

  let number: Int

  static func next() -> Self {
    Self(number: last.add(1, ordering: .relaxed).newValue)
  }
}
