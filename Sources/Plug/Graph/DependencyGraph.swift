/// The services of an injector and their dependencies, as a value you can store, compare and draw.
///
/// ```swift
/// let graph = services.graph()
/// print(graph)           // an indented tree
/// print(graph.mermaid)   // a picture for a README
/// print(graph.graphviz)  // a picture made with dot
/// ```
///
/// A graph contains what is known when it is made. Dependencies of a closure appear after it has run, unless
/// ``Injection/depends(on:tag:)`` declares them.
public struct DependencyGraph: Sendable, Hashable, Codable {
  /// The services and their candidates, sorted by name. Edges refer to them by index.
  public let nodes: [Node]

  /// The dependencies between nodes.
  public let edges: [Edge]

  /// A service, or one of its candidates.
  public struct Node: Sendable, Hashable, Codable {
    /// What a node represents.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// An implementation that can be made.
      case implementation

      /// A service with several candidates, which a context selects from.
      case choice

      /// A service that is needed but not registered.
      case missing
    }

    /// What the node represents.
    public let kind: Kind

    /// The service's type.
    public let service: String

    /// The service's tag; `nil` if it has none.
    public let tag: String?

    /// The candidate's id; `nil` if the node is not one of several candidates.
    public let candidate: String?

    /// How long an instance lives; `nil` if the node is not an implementation.
    public let lifetime: Lifetime?

    /// The injector the service is registered in; `nil` if it has no name, or if the service is missing.
    public let environment: String?

    /// Where the service is registered; `nil` if it is missing.
    public let registeredAt: CodeLocation?

    /// Whether the instance is made asynchronously.
    public let isAsynchronous: Bool

    /// The ids of the decorators, in declared order.
    public let decorators: [String]

    /// Whether a shared instance exists.
    public let isConstructed: Bool

    /// Whether the dependencies are unknown, because a closure has neither run nor declared them.
    public let isOpaque: Bool

    /// The service, with its tag and the candidate's id.
    public var name: String { serviceName(service, tag: tag, candidate: candidate) }
  }

  /// A dependency of one node on another.
  public struct Edge: Sendable, Hashable, Codable {
    /// How a dependency is known.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// From the parameters of an initializer, or from the type of the context that candidates are selected by.
      case known

      /// From a run of the factory.
      case recorded

      /// From ``Injection/depends(on:tag:)``.
      case declared

      /// From a run of a configuration.
      case configure

      /// The edge leads from a service to one of its candidates.
      case candidate
    }

    /// The index of the node that depends on the other.
    public let from: Int

    /// The index of the node it depends on.
    public let to: Int

    /// How the dependency is known.
    public let kind: Kind
  }
}

extension Injector {
  /// The services of this injector with their dependencies, as far as they are known.
  ///
  /// Nothing is constructed. The graph of a scope contains what it inherits.
  ///
  /// - Returns: A `Codable` value.
  public func graph() -> DependencyGraph {
    GraphAnalysis(isolated()).graph()
  }

  /// The graph of one service with everything it depends on, directly or indirectly, as far as it is known.
  ///
  /// ```swift
  /// print(try services.graph(of: Checkout.self))
  /// ```
  ///
  /// Nothing is constructed.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  /// - Returns: A `Codable` value.
  /// - Throws: ``InjectorError/notRegistered(_:)``.
  public func graph<Service: Sendable>(
    of type: Service.Type, tag: Tag? = nil
  ) throws(InjectorError) -> DependencyGraph {
    let injector = isolated()
    var analysis = GraphAnalysis(injector)
    guard let index = analysis.index(of: ServiceKey(type, tag), from: 0) else {
      throw injector.absence(of: ServiceKey(type, tag))
    }
    return analysis.graph(from: index)
  }
}
