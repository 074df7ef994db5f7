/// How long an instance made by an ``Injection`` lives, and who shares it.
///
/// Diagnostics, graphs and ``Injection/lifetime`` report it. A singleton that keeps a scoped instance, even through
/// instances made for it, is a captive dependency; see ``InjectorError/captiveDependency(_:path:)``.
public enum Lifetime: String, Sendable, Hashable, Codable, CaseIterable {
  /// The instance was handed in, and everyone shares it.
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
  var isKept: Bool {
    switch self {
    case .singleton, .lazySingleton, .weakSingleton, .scoped: true
    case .graph, .factory: false
    }
  }
}
