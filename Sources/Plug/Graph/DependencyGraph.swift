/// The services of an injector and what they ask for: a value to be stored, compared and drawn.
///
/// ```swift
/// let graph = services.graph()
/// print(graph)           // an indented tree
/// print(graph.mermaid)   // a picture, for a README
/// print(graph.graphviz)  // the same for dot
/// ```
public struct DependencyGraph: Sendable, Hashable, Codable {
  /// The services and what is registered for them, sorted by name. Their places are their numbers.
  public let nodes: [Node]

  /// What asks for what.
  public let edges: [Edge]

  /// A service, or one of several candidates for it.
  public struct Node: Sendable, Hashable, Codable {
    /// What a node stands for.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// An implementation.
      case implementation

      /// A service with candidates, among which a context chooses.
      case choice

      /// A service that is needed, and not registered.
      case missing
    }

    /// What it stands for.
    public let kind: Kind

    /// The service's type.
    public let service: String

    /// The service's tag.
    public let tag: String?

    /// The candidate's id.
    public let candidate: String?

    /// How long an instance lives; `nil` if the node stands for no implementation.
    public let lifetime: Lifetime?

    /// The injector in which it is registered; `nil` if that has no name, or the service is missing.
    public let environment: String?

    /// Where it is registered.
    public let registeredAt: CodeLocation?

    /// Whether the instance is made asynchronously.
    public let isAsynchronous: Bool

    /// The ids of what wraps the instances, in declared order.
    public let decorators: [String]

    /// Whether a shared instance exists.
    public let isConstructed: Bool

    /// Whether a closure hides what it asks for, because it has not run yet and does not declare it.
    public let isOpaque: Bool

    /// The service, with its tag and the candidate's id.
    public var name: String { serviceName(service, tag: tag, candidate: candidate) }
  }

  /// One service that asks for another.
  public struct Edge: Sendable, Hashable, Codable {
    /// From where an edge is known.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// From the parameters of an initializer, or from the type of the context that chooses.
      case known

      /// From a run of the factory.
      case recorded

      /// From ``Injection/depends(on:tag:)``.
      case declared

      /// From a run of the configuration.
      case configure

      /// It leads from a service to one of its candidates.
      case candidate
    }

    /// The number of the node that asks.
    public let from: Int

    /// The number of the node that is asked for.
    public let to: Int

    /// From where it is known.
    public let kind: Kind
  }
}

extension Injector {
  /// The services of this injector, with what they ask for as far as it is known. Constructs nothing.
  public func graph() -> DependencyGraph {
    GraphAnalysis(isolated()).graph()
  }

  /// A service with all that it asks for, directly or not, as far as it is known. Constructs nothing.
  ///
  /// - Throws: ``InjectorError/notRegistered(_:)``.
  public func graph<Service: Sendable>(
    of type: Service.Type, tag: Tag? = nil
  ) throws(InjectorError) -> DependencyGraph {
    let injector = isolated()
    var analysis = GraphAnalysis(injector)
    guard let index = analysis.index(of: ServiceKey(type, tag), from: 0) else {
      throw injector.absence(of: type, tag: tag)
    }
    return analysis.graph(from: index)
  }
}
