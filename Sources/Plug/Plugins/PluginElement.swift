/// What a ``PluginPoint`` consists of.
public enum PluginElement<Service: Sendable, Context: Sendable>: Sendable {
  /// One implementation.
  case candidate(Candidate<Service, Context>)

  /// A nested point.
  indirect case point(PluginPoint<Service, Context>)

  /// The candidate, or all candidates of the point, in declared order.
  var candidates: [Candidate<Service, Context>] {
    switch self {
    case .candidate(let candidate): [candidate]
    case .point(let point): point.elements.flatMap(\.candidates)
    }
  }

  /// How many points lie one inside of the other here.
  var depth: Int {
    switch self {
    case .candidate: 0
    case .point(let point): (point.elements.lazy.map(\.depth).max() ?? 0) + 1
    }
  }

  /// Whether it is a point that was nested too deep.
  var isTooDeep: Bool {
    if case .point(let point) = self { point.isTooDeep } else { false }
  }

  /// Whether the element, or one inside it, has the id.
  func contains(_ id: String) -> Bool {
    switch self {
    case .candidate(let candidate): candidate.id == id
    case .point(let point): point.id == id || point.elements.contains { $0.contains(id) }
    }
  }

  /// The element without the candidates that have the id; points stay, even when they are empty then.
  func removing(candidate id: String) -> Self? {
    switch self {
    case .candidate(let candidate): return candidate.id == id ? nil : self
    case .point(var point):
      guard point.candidateIDs.contains(id) else { return self }
      point.elements = point.elements.compactMap { $0.removing(candidate: id) }
      return .point(point)
    }
  }

  /// The element without what has the id; `nil` if nothing is left.
  func removing(_ id: String) -> Self? {
    guard contains(id) else { return self }
    guard case .point(var point) = self, point.id != id else { return nil }
    point.elements = point.elements.compactMap { $0.removing(id) }
    return .point(point)
  }
}

/// Collects candidates and nested points, with `if`, `if let`, `switch` and `for`.
@resultBuilder
public enum PluginBuilder<Service: Sendable, Context: Sendable> {
  /// The elements that a part of the builder's body adds.
  public typealias Elements = [PluginElement<Service, Context>]

  /// Adds a candidate.
  public static func buildExpression(_ candidate: Candidate<Service, Context>) -> Elements { [.candidate(candidate)] }

  /// Adds a nested point.
  public static func buildExpression(_ point: PluginPoint<Service, Context>) -> Elements { [.point(point)] }

  /// Adds elements that exist already.
  public static func buildExpression(_ elements: Elements) -> Elements { elements }

  /// Joins the parts of a block.
  public static func buildBlock(_ parts: Elements...) -> Elements { parts.flatMap(\.self) }

  /// Adds the body of an `if` without `else`.
  public static func buildOptional(_ part: Elements?) -> Elements { part ?? [] }

  /// Adds the first branch of an `if` or `switch`.
  public static func buildEither(first part: Elements) -> Elements { part }

  /// Adds the other branch of an `if` or `switch`.
  public static func buildEither(second part: Elements) -> Elements { part }

  /// Adds the rounds of a `for` loop.
  public static func buildArray(_ parts: [Elements]) -> Elements { parts.flatMap(\.self) }

  /// Adds what stands under `if #available`.
  public static func buildLimitedAvailability(_ part: Elements) -> Elements { part }
}
