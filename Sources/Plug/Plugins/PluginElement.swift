/// An element of a ``PluginPoint``: a candidate or a nested point.
enum PluginElement<Service: Sendable, Context: Sendable>: Sendable {
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
  func mapping(_ change: (Candidate<Service, Context>) -> Candidate<Service, Context>) -> Self {
    switch self {
    case .candidate(let candidate): return .candidate(change(candidate))
    case .point(let point): return .point(point.mapping(change))
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
public struct PluginBuilder<Service: Sendable, Context: Sendable>: Sendable {
  let elements: [PluginElement<Service, Context>]

  init(_ elements: [PluginElement<Service, Context>]) { self.elements = elements }

  /// Returns the body with other candidates.
  package func mapping(_ change: (Candidate<Service, Context>) -> Candidate<Service, Context>) -> Self {
    Self(elements.map { $0.mapping(change) })
  }

  /// Adds a candidate, a nested point, another body, or each of an array of them.
  public static func buildExpression<Part: PluginPart>(_ part: Part) -> Self
  where Part.Service == Service, Part.Context == Context { part.pluginParts }

  /// Concatenates the parts of a block.
  public static func buildBlock(_ parts: Self...) -> Self { buildArray(parts) }

  /// Adds the body of an `if` without `else`.
  public static func buildOptional(_ part: Self?) -> Self { part ?? Self([]) }

  /// Adds the first branch of an `if` or `switch`.
  public static func buildEither(first part: Self) -> Self { part }

  /// Adds the other branch of an `if` or `switch`.
  public static func buildEither(second part: Self) -> Self { part }

  /// Adds the iterations of a `for` loop.
  public static func buildArray(_ parts: [Self]) -> Self { Self(parts.flatMap(\.elements)) }
}

/// A part of the body of a ``PluginPoint``: a ``Candidate``, a point, another body, or an array of them.
///
/// With one protocol instead of several overloads of the builder, the compiler knows the context of each part, and
/// reports a misspelled key path as such.
@_documentation(visibility: internal)
public protocol PluginPart<Service, Context> {
  /// The service of the point.
  @_documentation(visibility: internal)
  associatedtype Service: Sendable

  /// The context of the point's rules.
  @_documentation(visibility: internal)
  associatedtype Context: Sendable

  /// The part as the body of a point.
  @_documentation(visibility: internal)
  var pluginParts: PluginBuilder<Service, Context> { get }
}

extension Candidate: PluginPart {
  /// The body with this candidate only.
  @_documentation(visibility: internal)
  public var pluginParts: PluginBuilder<Service, Context> { PluginBuilder([.candidate(self)]) }
}

extension PluginPoint: PluginPart {
  /// The body with this point only.
  @_documentation(visibility: internal)
  public var pluginParts: PluginBuilder<Service, Context> { PluginBuilder([.point(self)]) }
}

extension PluginBuilder: PluginPart {
  /// The body itself.
  @_documentation(visibility: internal)
  public var pluginParts: Self { self }
}

extension Array: PluginPart where Element: PluginPart {
  /// The body with all parts.
  @_documentation(visibility: internal)
  public var pluginParts: PluginBuilder<Element.Service, Element.Context> { .buildArray(map(\.pluginParts)) }
}
