/// How long an instance lives that an ``Injection`` has made, and who shares it.
public enum Lifetime: String, Sendable, Hashable, Codable, CaseIterable {
  /// The instance was handed in, and is the same for everyone.
  case singleton

  /// One for each injector, from the first request on.
  case lazySingleton

  /// One for each injector, for as long as someone else holds it.
  case weakSingleton

  /// One for each scope, until the scope is closed.
  case scoped

  /// One for each outermost request, shared by all that is made for it.
  case graph

  /// A new one for each request.
  case factory

  /// Whether the injector that makes an instance keeps it, or knows it, after the request.
  var isKept: Bool {
    switch self {
    case .singleton, .lazySingleton, .weakSingleton, .scoped: true
    case .graph, .factory: false
    }
  }
}
