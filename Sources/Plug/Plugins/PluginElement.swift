/// An element of a ``PluginPoint``: a candidate, or a nested point. The elements of a nested point follow it, and have
/// higher levels.
struct PluginElement: Sendable {
  let id: String
  /// The candidate; `nil` for a point.
  var candidate: Boxed<AnyCandidate>?
  /// The rule of a point, which gates everything in it.
  var rule = RuleExpression.constant(true)
  /// The number of nested points around the element.
  var level = 0

  /// Returns the element with another candidate.
  func mapping<Service, Context>(_ change: (Candidate<Service, Context>) -> Candidate<Service, Context>) -> Self {
    var element = self
    element.candidate = candidate.map { change(Candidate($0)).box }
    return element
  }
}

extension [PluginElement] {
  /// The number of levels of points, including the point that has these elements.
  var depth: Int { reduce(1) { Swift.max($0, $1.level + ($1.candidate == nil ? 2 : 1)) } }

  /// The candidates, in declared order.
  var candidates: [AnyCandidate] { compactMap(\.candidate?.value) }

  /// Adds all candidates and points to a list.
  ///
  /// - Parameters:
  ///   - outer: The enclosing point.
  ///   - cells: The cells of the candidates, in declared order.
  func add(to elements: inout [ChoiceElement], in outer: Gate? = nil, _ cells: [Cell]) {
    // The enclosing points of an element, by their levels.
    var (gates, cells) = ([outer], cells[...])
    for element in self {
      while gates.count > element.level + 1 { gates.removeLast() }
      let outer = gates[gates.count - 1]
      if let candidate = element.candidate?.value {
        elements.append(ChoiceElement(entry: Entry(candidate, in: outer, cells.removeFirst())))
      } else {
        gates.append(Gate(element.id, element.rule, in: outer, addedTo: &elements))
      }
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
  let elements: [PluginElement]

  init(_ elements: [PluginElement]) { self.elements = elements }

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
  public var pluginParts: PluginBuilder<Service, Context> { PluginBuilder([PluginElement(id: id, candidate: box)]) }
}

extension PluginPoint: PluginPart {
  /// The body with this point only.
  @_documentation(visibility: internal)
  public var pluginParts: PluginBuilder<Service, Context> {
    var parts = [PluginElement(id: id, rule: rule.expression)] + elements
    for index in parts.indices.dropFirst() { parts[index].level += 1 }
    return PluginBuilder(parts)
  }
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
