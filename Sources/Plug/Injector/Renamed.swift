// Names of earlier versions, for which the compiler offers the new ones.

/// Renamed to `TestIsolation`.
@_documentation(visibility: internal)
@available(*, unavailable, renamed: "TestIsolation")
public typealias Isolation = TestIsolation

extension Injector {
  /// Renamed to `Strictness`.
  @_documentation(visibility: internal)
  @available(*, unavailable, renamed: "Strictness")
  public typealias Validation = Strictness
}

@_documentation(visibility: internal)
extension Injector.Strictness {
  /// Renamed to `lenient`.
  @available(*, unavailable, renamed: "lenient")
  public static var known: Self { fatalError() }

  /// Renamed to `strict`.
  @available(*, unavailable, renamed: "strict")
  public static var complete: Self { fatalError() }
}

@_documentation(visibility: internal)
extension Injection {
  /// Renamed to `dependsOnNothing`.
  @available(*, unavailable, renamed: "dependsOnNothing")
  public func depends() -> Self { fatalError() }
}
