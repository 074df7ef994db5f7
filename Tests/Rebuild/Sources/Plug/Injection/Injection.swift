/// How an instance of a service is made, and how long it lives.
///
/// | Case | Lifetime |
/// |---|---|
/// | `singleton` | the one instance that was handed in |
/// | `lazySingleton` | one instance per ``Injector``, made on the first request |
/// | `weakSingleton` | one instance per ``Injector``, for as long as anything else holds it |
/// | `scoped` | one instance per scope, see ``Injector/makeScope(_:fileID:line:configure:)`` |
/// | `graph` | one instance per outermost request, shared by everything made for it |
/// | `factory` | a new instance for each request |
///
/// Every lifetime that makes instances takes a closure, a closure with the injector, or an initializer whose parameters
/// are resolved by type:
///
/// ```swift
/// Injection<any Cache>.lazySingleton { MemoryCache() }
/// Injection<any Cache>.factory { injector in
///   DiskCache(files: try injector.get())
/// }
/// Injection<any Cache>.lazySingleton(wiring: DiskCache.init)
/// ```
///
/// Closures and initializers may be isolated to the main actor: `.lazySingleton { @MainActor in ViewModel() }`. A `get`
/// on the main actor makes such an instance. A `get` elsewhere throws ``InjectorError/mainActorRequired(_:)`` until the
/// instance exists; from then on it can be read from anywhere. ``Injector/load(_:tag:fileID:line:)`` makes it from
/// anywhere.
///
/// Modifiers refine an injection:
///
/// ```swift
/// .lazySingleton { try Connection() }
///   .configure { connection, injector in connection.log = try injector.get() }
///   .onClose { $0.disconnect() }
/// ```
public enum Injection<Service: Sendable>: Sendable {
  /// An existing instance that everyone shares.
  case singleton(Service)

  /// One instance per injector, made by the factory on the first request unless an instance is given.
  ///
  /// An instance made by an injector is shared with its scopes.
  case lazySingleton(Service?, Factory)

  /// One instance per injector, made by the factory when it is requested and nothing holds one.
  ///
  /// Use it for expensive objects that several owners share for a while. The service must be a class, or a protocol
  /// whose instances are objects.
  case weakSingleton(Factory)

  /// One instance per scope, made by the factory on the first request there.
  ///
  /// Outside of a scope, a request throws ``InjectorError/scopeRequired(_:)``.
  case scoped(Factory)

  /// One instance per outermost request, shared by everything made for that request.
  case graph(Factory)

  /// A new instance for each request.
  case factory(Factory)
}

/// Another name for ``Injection``.
public typealias Injectable = Injection
