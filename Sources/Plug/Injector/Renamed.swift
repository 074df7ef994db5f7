// Names of earlier versions: the compiler offers the new one.

@_documentation(visibility: internal)
@available(*, unavailable, renamed: "TestIsolation")
public typealias Isolation = TestIsolation

extension Injector {
  @_documentation(visibility: internal)
  @available(*, unavailable, renamed: "Strictness")
  public typealias Validation = Strictness
}

@_documentation(visibility: internal)
extension Injector.Strictness {
  @available(*, unavailable, renamed: "lenient")
  public static var known: Self { fatalError() }

  @available(*, unavailable, renamed: "strict")
  public static var complete: Self { fatalError() }
}

@_documentation(visibility: internal)
extension Injection {
  @available(*, unavailable, renamed: "dependsOnNothing")
  public func depends() -> Self { fatalError() }
}
