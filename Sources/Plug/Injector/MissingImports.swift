// Names of other products, with which the compiler names the missing import. They give way to the real declarations.
// `Tests/Refused` shows them.

/// The type of another product's function.
@_documentation(visibility: internal) @dynamicCallable
public struct _Stub {
  /// Accepts all arguments.
  @_documentation(visibility: internal)
  public func dynamicallyCall(withKeywordArguments arguments: KeyValuePairs<String, Any>) {}
}

extension Injector {
  /// Overrides a service in a test.
  @available(*, unavailable, message: "import PlugTesting, or correct the arguments")
  public var override: _Stub { fatalError() }

  /// Disables a candidate.
  @available(*, unavailable, message: "import PlugOperations or PlugTesting, or correct the arguments")
  public var disable: _Stub { fatalError() }

  /// Forces a candidate to win.
  @available(*, unavailable, message: "import PlugOperations or PlugTesting, or correct the arguments")
  public var force: _Stub { fatalError() }

  /// Reports registrations with effects that were probably not meant.
  @available(*, unavailable, message: "import PlugOperations") public var audit: _Stub { fatalError() }

  /// The dependencies of all services.
  @available(*, unavailable, message: "import PlugOperations") public var graph: _Stub { fatalError() }

  /// Follows the choices of candidates.
  @available(*, unavailable, message: "import PlugOperations, or correct the arguments")
  public var onSelection: _Stub { fatalError() }

  /// Describes the state of the injector.
  @available(*, unavailable, message: "import PlugOperations") public var report: _Stub { fatalError() }

  /// Observes a property or a feature.
  @available(*, unavailable, message: "import PlugKeys, or correct the arguments")
  public var observe: _Stub { fatalError() }

  /// The candidates of a service, with their metadata.
  @available(*, unavailable, message: "import PlugKeys") public var candidates: _Stub { fatalError() }

  /// The values of a property.
  @available(*, unavailable, message: "import PlugKeys") public var values: _Stub { fatalError() }
}

/// A version.
@available(*, unavailable, message: "import PlugKeys") public struct SemanticVersion {}

/// A typed key with a default value.
@available(*, unavailable, message: "import PlugKeys") public protocol Property {}

/// A typed key that loads itself.
@available(*, unavailable, message: "import PlugKeys") public protocol Feature {}
