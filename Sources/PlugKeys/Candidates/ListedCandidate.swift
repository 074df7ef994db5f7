import Plug

/// A candidate of a service in a list, for example in a menu of plugins.
///
/// ``Plug/Injector/candidates(of:tag:in:)`` and ``Plug/PluginPoint/candidates(in:)`` return candidates without making
/// any instance.
public struct ListedCandidate: Sendable, Identifiable {
  /// The id, by which ``Plug/Injector/get(_:tag:candidate:in:fileID:line:)`` gets the candidate.
  public let id: String

  /// The priority. A registration without a rule has the id `"default"` and the priority 0.
  public let priority: Int

  /// Whether the candidate applies in the context of the list: by its rule and the rules of its points, unless a switch
  /// or a quarantine decides otherwise.
  public let applies: Bool

  private let values: [ObjectIdentifier: any Sendable]

  init(_ entry: Entry, applies: Bool) {
    (id, priority, values) = (entry.id, entry.priority, entry.values)
    self.applies = applies
  }

  /// The metadata of a type that the candidate was declared with; `nil` if it was declared without.
  ///
  /// - Parameter type: The type of the metadata, as it was passed to ``Plug/Candidate/metadata(_:)``. It can be omitted
  ///   where it is inferred from the result.
  public func metadata<Metadata: Sendable>(_ type: Metadata.Type = Metadata.self) -> Metadata? {
    values[ObjectIdentifier(MetadataKey<Metadata>.self)] as? Metadata
  }
}

/// The type under which an injection keeps metadata, which differs from the types of layers.
enum MetadataKey<Metadata> {}

extension [ListedCandidate] {
  /// Lists the candidates of several choices, first those that apply.
  init(_ choices: [Choice]) throws {
    var all: [ListedCandidate] = []
    for var choice in choices {
      for (entry, applies) in try choice.listed() { all.append(ListedCandidate(entry, applies: applies)) }
    }
    self = all.filter(\.applies) + all.filter { !$0.applies }
  }
}
