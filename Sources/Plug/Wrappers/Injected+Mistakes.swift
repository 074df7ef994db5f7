// Overloads that nobody can call: with them, the compiler says what is wrong with a likely mistake, and what to write.
// `Tests/Refused` shows each one.

extension Injected where Value == Unstated {
  /// Refuses a property without a type.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "an injected property needs a type: @Injected(.services) var search: any Search")
  public init(_ name: Injector.Name = .default, tag: Injector.Tag? = nil) { fatalError() }
}

/// The type that the compiler finds where a program states none.
@_documentation(visibility: internal)
public struct Unstated: FeatureContext {
  /// No features.
  public var enabledFeatures: Set<String> { [] }
}
