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

  /// The number of levels of nested points; 0 for a candidate.
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
  /// Adds a candidate, a nested point, or the elements of an array, such as the elements of another point.
  public static func buildExpression<Part: PluginPart>(_ part: Part) -> [PluginElement<Service, Context>]
  where Part.Service == Service, Part.Context == Context { part.pluginElements }

  /// Concatenates the parts of a block.
  public static func buildBlock(_ parts: [PluginElement<Service, Context>]...) -> [PluginElement<Service, Context>] {
    parts.flatMap(\.self)
  }

  /// Adds the body of an `if` without `else`.
  public static func buildOptional(_ part: [PluginElement<Service, Context>]?) -> [PluginElement<Service, Context>] {
    part ?? []
  }

  /// Adds the first branch of an `if` or `switch`.
  public static func buildEither(
    first part: [PluginElement<Service, Context>]
  ) -> [PluginElement<Service, Context>] { part }

  /// Adds the other branch of an `if` or `switch`.
  public static func buildEither(
    second part: [PluginElement<Service, Context>]
  ) -> [PluginElement<Service, Context>] { part }

  /// Adds the iterations of a `for` loop.
  public static func buildArray(_ parts: [[PluginElement<Service, Context>]]) -> [PluginElement<Service, Context>] {
    parts.flatMap(\.self)
  }
}

/// A part of the body of a ``PluginPoint``: a ``Candidate``, a point, or an array of elements.
///
/// With one protocol instead of several overloads of the builder, the compiler knows the context of each part, and
/// reports a misspelled key path as such.
public protocol PluginPart<Service, Context> {
  /// The service of the point.
  associatedtype Service: Sendable

  /// The context of the point's rules.
  associatedtype Context: Sendable

  /// The elements that the part adds to the point.
  @_documentation(visibility: internal)
  var pluginElements: [PluginElement<Service, Context>] { get }
}

extension Candidate: PluginPart {
  /// The candidate as an element.
  @_documentation(visibility: internal)
  public var pluginElements: [PluginElement<Service, Context>] { [.candidate(self)] }
}

extension PluginPoint: PluginPart {
  /// The point as an element.
  @_documentation(visibility: internal)
  public var pluginElements: [PluginElement<Service, Context>] { [.point(self)] }
}

extension PluginElement: PluginPart {
  /// The element.
  @_documentation(visibility: internal)
  public var pluginElements: [Self] { [self] }
}

extension Array: PluginPart where Element: PluginPart {
  /// The elements of all parts.
  @_documentation(visibility: internal)
  public var pluginElements: [PluginElement<Element.Service, Element.Context>] { flatMap(\.pluginElements) }
}
