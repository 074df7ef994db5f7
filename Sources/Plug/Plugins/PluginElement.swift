/// An element of a ``PluginPoint``: a candidate or a nested point.
public enum PluginElement<Service: Sendable, Context: Sendable>: Sendable {
  /// One implementation.
  case candidate(Candidate<Service, Context>)

  /// A nested point, whose rule gates everything in it.
  indirect case point(PluginPoint<Service, Context>)

  /// The candidate, or all candidates of the point, in declared order.
  var candidates: [AnyCandidate] {
    switch self {
    case .candidate(let candidate): [candidate.parts]
    case .point(let point): point.elements.flatMap(\.candidates)
    }
  }

  /// How many points are nested in each other here.
  var depth: Int {
    switch self {
    case .candidate: 0
    case .point(let point): point.depth
    }
  }

  /// Returns the element with other candidates.
  package func mapping(_ change: (Candidate<Service, Context>) -> Candidate<Service, Context>) -> Self {
    switch self {
    case .candidate(let candidate): return .candidate(change(candidate))
    case .point(var point):
      point.elements = point.elements.map { $0.mapping(change) }
      return .point(point)
    }
  }

  /// Returns whether the element, or one inside it, has the id.
  func contains(_ id: String) -> Bool {
    switch self {
    case .candidate(let candidate): candidate.id == id
    case .point(let point): point.id == id || point.elements.contains { $0.contains(id) }
    }
  }

  /// Returns the element without everything that has the id; `nil` if nothing is left.
  func removing(_ id: String) -> Self? {
    guard contains(id) else { return self }
    guard case .point(var point) = self, point.id != id else { return nil }
    point.remove(id)
    return .point(point)
  }
}

/// A result builder that collects candidates and nested points, with `if`, `if let`, `switch` and `for`.
///
/// ```swift
/// PluginPoint<any PaymentMethod, Shopper>("payment") {
///   Candidate("card") { Card() }
///   if supportsWallet {
///     Candidate("wallet") { Wallet() }
///   }
///   for bank in banks {
///     Candidate(bank.id) { BankTransfer(bank) }
///   }
/// }
/// ```
@resultBuilder
public enum PluginBuilder<Service: Sendable, Context: Sendable> {
  /// The elements that one part of the builder's body adds.
  public typealias Elements = [PluginElement<Service, Context>]

  /// Adds a candidate, a nested point, or the elements of an array, for example those of another point.
  public static func buildExpression<Part: PluginPart>(_ part: Part) -> Elements
  where Part.Service == Service, Part.Context == Context { part.pluginElements }

  /// Concatenates the parts of a block.
  public static func buildBlock(_ parts: Elements...) -> Elements { parts.flatMap(\.self) }

  /// Adds the body of an `if` without `else`.
  public static func buildOptional(_ part: Elements?) -> Elements { part ?? [] }

  /// Adds the first branch of an `if` or `switch`.
  public static func buildEither(first part: Elements) -> Elements { part }

  /// Adds the other branch of an `if` or `switch`.
  public static func buildEither(second part: Elements) -> Elements { part }

  /// Adds the iterations of a `for` loop.
  public static func buildArray(_ parts: [Elements]) -> Elements { parts.flatMap(\.self) }

  /// Adds the body of an `if #available`.
  public static func buildLimitedAvailability(_ part: Elements) -> Elements { part }
}
