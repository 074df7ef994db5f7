/// How an instance of a service is made, and how long it lives.
///
/// | Case | Lifetime |
/// |---|---|
/// | `singleton` | the one instance that was handed in |
/// | `lazySingleton` | one instance for each ``Injector``, made when it is first asked for |
/// | `weakSingleton` | one instance for each ``Injector``, for as long as someone else holds it |
/// | `scoped` | one instance for each scope, see ``Injector/makeScope(_:fileID:line:configure:)`` |
/// | `graph` | one instance for each outermost request, shared by all that is made for it |
/// | `factory` | a new instance for each request |
///
/// Every lifetime that makes instances takes a closure, a closure with the injector, or an initializer whose
/// parameters are resolved by type:
///
/// ```swift
/// Injection<any Cache>.lazySingleton { MemoryCache() }
/// Injection<any Cache>.factory { injector in DiskCache(files: try injector.get()) }
/// Injection<any Cache>.lazySingleton(wiring: DiskCache.init)
/// ```
///
/// The same forms take main-actor closures and initializers: `.lazySingleton { @MainActor in ViewModel() }`.
/// Such an instance is built by a `get` on the main actor; a `get` elsewhere throws
/// ``InjectorError/mainActorRequired(_:)`` until it has been built, and from then on reads it from anywhere.
public enum Injection<Service: Sendable>: Sendable {
  /// An instance that exists already and is the same for everyone.
  case singleton(Service)

  /// One instance for each injector, made by the factory at the first request unless an instance is given.
  case lazySingleton(Service?, Factory)

  /// One instance for each injector, made by the factory when it is needed and nobody holds one.
  case weakSingleton(Factory)

  /// One instance for each scope, made by the factory at the first request there.
  case scoped(Factory)

  /// One instance for each outermost request, shared by everything that is made for it.
  case graph(Factory)

  /// A new instance for each request.
  case factory(Factory)
}

/// Another name for ``Injection``.
public typealias Injectable = Injection
