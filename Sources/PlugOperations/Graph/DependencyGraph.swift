public import Plug

/// The services of an injector and their dependencies, as a value that you can store, compare and draw.
///
/// ```swift
/// let graph = services.graph()
/// print(graph)           // an indented tree
/// print(graph.mermaid)   // a picture for a README
/// print(graph.graphviz)  // a picture made with dot
/// ```
///
/// A graph contains the dependencies that are known when it is made. The dependencies of a closure are known if
/// `depends(on:)` declares them, or after it has run while ``Plug/Injector/recordDependencies()`` recorded them.
public struct DependencyGraph: Sendable, Hashable {
  /// The services and their candidates, sorted by name. Edges refer to them by index.
  public let nodes: [Node]

  /// The dependencies between nodes.
  public let edges: [Edge]

  /// A service, or one of its candidates.
  public struct Node: Sendable, Hashable {
    /// The kinds of nodes.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// An implementation that can be made.
      case implementation

      /// A service with several candidates, from which a context selects.
      case choice

      /// A service that is needed but not registered.
      case missing
    }

    /// The kind of the node.
    public let kind: Kind

    /// The service's type, with its module if another service in the graph has the same name.
    public let service: String

    /// The service's tag; `nil` if it has none.
    public let tag: String?

    /// The candidate's id; `nil` if the node is not one of several candidates.
    public let candidate: String?

    /// The lifetime of an instance; `nil` if the node is not an implementation.
    public let lifetime: Lifetime?

    /// The injector in which the service is registered; `nil` if it has no name, or if the service is missing.
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
  public struct Edge: Sendable, Hashable {
    /// The sources of a dependency.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// The parameters of an initializer, or the type of the context by which candidates are selected.
      case known

      /// A run of the factory.
      case recorded

      /// A declaration with `depends(on:)`.
      case declared

      /// A run of a configuration.
      case configure

      /// The edge leads from a service to one of its candidates.
      case candidate
    }

    /// The index of the node that depends on the other.
    public let from: Int

    /// The index of the node it depends on.
    public let to: Int

    /// The source of the dependency.
    public let kind: Kind
  }
}

extension Injector {
  /// Returns the services of this injector with their known dependencies.
  ///
  /// No instance is made. The graph of a scope includes the inherited services.
  ///
  /// - Returns: A `Codable` value.
  public func graph() -> DependencyGraph {
    let graph = ServiceGraph(active)
    return graph.drawn(graph.nodes.indices)
  }

  /// Returns the graph of one service with its known dependencies, direct and indirect.
  ///
  /// ```swift
  /// print(try services.graph(of: Checkout.self))
  /// ```
  ///
  /// No instance is made.
  ///
  /// - Parameters:
  ///   - type: The service.
  ///   - tag: The tag the service is registered with.
  /// - Returns: A `Codable` value.
  /// - Throws: `InjectorError.notRegistered`.
  public func graph<Service: Sendable>(
    of type: Service.Type, tag: Tag? = nil
  ) throws(InjectorError) -> DependencyGraph {
    let injector = active
    let cell = try injector.existingCell(of: Key(type, tag))  // First, since a test's copy copies the cell.
    let graph = ServiceGraph(injector)
    // Of several nodes with a cell, the one that requests to this injector reach comes first.
    let start = graph.nodes.firstIndex { $0.cell === cell }
    return graph.drawn(graph.reached(from: start.map { [$0] } ?? []))
  }
}

extension DependencyGraph: Codable, JSONCodable {
  /// Reads a graph.
  ///
  /// - Throws: A `DecodingError`, also if an edge refers to a node that does not exist.
  public init(from decoder: any Decoder) throws { self = try decoder.read { try Self($0) } }

  init(_ json: JSON) throws {
    let nodes = try json.member("nodes") { try $0.list { try Node($0) } }
    let edges = try json.member("edges") { try $0.list { try Edge($0) } }
    for edge in edges where !nodes.indices.contains(edge.from) || !nodes.indices.contains(edge.to) {
      throw Malformed("an edge leads from \(edge.from) to \(edge.to), and there are \(nodes.count) nodes")
    }
    self.init(nodes: nodes, edges: edges)
  }

  var json: JSON { JSON(members: ["nodes": .array(nodes.map(\.json)), "edges": .array(edges.map(\.json))]) }
}

extension DependencyGraph.Edge: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      from: try json.member("from", \.int), to: try json.member("to", \.int),
      kind: try json.member("kind") { $0.text.flatMap(Kind.init) })
  }

  var json: JSON { JSON(members: ["from": .of(from), "to": .of(to), "kind": .string(kind.rawValue)]) }
}

extension DependencyGraph.Node: Codable, JSONCodable {
  init(_ json: JSON) throws {
    self.init(
      kind: try json.member("kind") { $0.text.flatMap(Kind.init) }, service: try json.member("service", \.text),
      tag: try json.optional("tag", \.text), candidate: try json.optional("candidate", \.text),
      lifetime: try json.optional("lifetime") { $0.text.flatMap(Lifetime.init) },
      environment: try json.optional("environment", \.text),
      registeredAt: try json.optional("registeredAt") { place in
        CodeLocation(
          fileID: try place.member("fileID", \.text), line: try place.member("line", \.int),
          module: try place.optional("module", \.text))
      }, isAsynchronous: try json.member("isAsynchronous", \.flag), decorators: try json.member("decorators", \.texts),
      isConstructed: try json.member("isConstructed", \.flag), isOpaque: try json.member("isOpaque", \.flag))
  }

  var json: JSON {
    JSON(members: [
      "kind": .string(kind.rawValue), "service": .string(service), "tag": tag.map(JSON.string),
      "candidate": candidate.map(JSON.string), "lifetime": lifetime.map { .string($0.rawValue) },
      "environment": environment.map(JSON.string),
      "registeredAt": registeredAt.map { place in
        JSON(members: [
          "fileID": .string(place.fileID), "line": .of(place.line), "module": place.module.map(JSON.string),
        ])
      }, "isAsynchronous": .boolean(isAsynchronous), "decorators": .array(decorators.map(JSON.string)),
      "isConstructed": .boolean(isConstructed), "isOpaque": .boolean(isOpaque),
    ])
  }
}
