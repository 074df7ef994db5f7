/// The lifetime of an instance, and the requests that share it.
///
/// Diagnostics and graphs report it. A scoped instance that a singleton keeps, directly or through its dependencies, is
/// a captive dependency; see ``InjectorError/captiveDependency(_:path:)``.
public enum Lifetime: String, Sendable, Hashable, Codable, CaseIterable {
  /// An existing instance that all requests share.
  case singleton

  /// One instance per injector, from the first request until the injector is closed or reset.
  case lazySingleton

  /// One instance per injector, for as long as anything else holds it.
  case weakSingleton

  /// One instance per scope, until the scope is closed.
  case scoped

  /// One instance per outermost request, shared by everything made for it.
  case graph

  /// A new instance for each request, owned by the caller.
  case factory

  /// Whether the injector that makes an instance keeps it, or a weak reference to it, after the request.
  var isKept: Bool { self != .graph && self != .factory }
}
