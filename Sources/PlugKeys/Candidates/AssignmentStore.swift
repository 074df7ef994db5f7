public import Plug

/// Remembers which candidate an identifier has drawn, so that it keeps the candidate when weights change.
///
/// `KeyValueStore` of PlugFeatures is one, for an app. A server keeps them where it keeps its accounts.
///
/// Choices call both functions on any thread, while they choose, and wait for them: keep what they need in memory.
public protocol AssignmentStore: Sendable {
  /// Returns the id of the candidate that an identifier keeps at a point; `nil` if it keeps none.
  func assignment(of identifier: String, at point: String) -> String?

  /// Stores the id of the candidate that an identifier has drawn at a point.
  func assign(_ candidate: String, to identifier: String, at point: String)
}

extension PluginPoint {
  /// Returns the point with sticky draws: an identifier keeps the candidate that it has been given.
  ///
  /// ```swift
  /// PluginPoint<any Checkout, Shopper>("checkout") {
  ///   Candidate("one-click") { OneClick() }.weight(20, by: \.id)
  ///   Candidate("classic") { Classic() }.weight(80, by: \.id)
  /// }
  /// .sticky(in: assignments)
  /// ```
  ///
  /// A draw asks the store first, once for each identifier and point. If the candidate that it names still applies and
  /// has a weight, that candidate draws 0 and wins among those of its priority. Otherwise the weights decide, and a
  /// request stores the winner once it has made the instance.
  ///
  /// Nothing is stored for an empty identifier, by requests for all instances, explanations and selections, for a
  /// candidate that is forced or requested by its id, after another candidate has failed, and while a switch disables
  /// the candidate that the store names.
  ///
  /// A rollout needs no store: a growing percentage keeps everyone, and a shrinking one is meant to exclude.
  ///
  /// - Parameter store: The store. Its points are those in which the candidates are listed, which may be nested.
  public func sticky(in store: some AssignmentStore) -> Self {
    let assignments: Assignments = ({ store.assignment(of: $0, at: $1) }, { store.assign($0, to: $1, at: $2) })
    return mapping { $0.keeping(assignments) }
  }
}
