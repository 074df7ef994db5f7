/// A named, composable condition on a context that decides when a candidate applies.
///
/// ```swift
/// let rule: Rule<Shopper> = .feature("semantic") && !.equals(\.country, "FR")
/// let adult = Rule<Shopper>("is an adult") { $0.age >= 18 }
/// rule.evaluate(in: shopper)      // .satisfied
/// print(rule.trace(in: shopper))  // every part, with the values it saw
/// ```
///
/// A rule looks at one immutable value, and at the injector that makes the choice. It has one of three outcomes:
/// *satisfied*, *unsatisfied*, or *indeterminate* if its condition threw an error or a value was missing. Composition
/// follows Kleene's strong three-valued logic. Only a satisfied rule admits a candidate. An indeterminate rule does
/// not, and neither does its negation, so that a missing value never admits a candidate.
///
/// Define the rules of your app once, in an extension:
///
/// ```swift
/// nonisolated extension Rule<Shopper> {
///   static let isPremium: Self = .equals(\.tier, .premium)
/// }
/// ```
///
/// A rule is a value that can be evaluated on any thread. Compositions can be nested up to 100 deep. A deeper one is
/// indeterminate in every context, and its trace shows the reason.
public struct Rule<Context: Sendable>: Sendable {
  let expression: RuleExpression

  /// The depth of nested compositions.
  let depth: Int

  init(_ expression: RuleExpression, depth: Int = 0) {
    self.expression = expression
    self.depth = depth
  }

  /// Creates a rule from a condition of your own.
  ///
  /// ```swift
  /// let adult = Rule<Shopper>("is an adult") { $0.age >= 18 }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The statement of the condition, for explanations: "is an adult".
  ///   - condition: Returns whether the context satisfies the rule. It should depend on the context only, because it
  ///     may run at any time, on any thread, and more than once. If it throws, the outcome is indeterminate.
  @inlinable
  public init(_ name: String, _ condition: @escaping @Sendable (Context) throws -> Bool) {
    self.init(name, test: { context, _ in try context.open(as: Context.self) { try condition($0) } })
  }

  /// Creates a rule from a condition of your own that also looks at the injector.
  ///
  /// ```swift
  /// Rule<Shopper>("is in stock") { shopper, services in
  ///   try services.get(Stock.self).has(shopper.wish)
  /// }
  /// ```
  ///
  /// The injector is the one that makes the choice: a scope, or the test's copy in an isolated test. Without a choice,
  /// it is the argument of ``evaluate(in:from:)``.
  ///
  /// - Parameters:
  ///   - name: The statement of the condition, for explanations.
  ///   - condition: Returns whether the context satisfies the rule. It may run at any time, on any thread, and more
  ///     than once. If it throws, the outcome is indeterminate.
  @inlinable
  public init(_ name: String, _ condition: @escaping @Sendable (Context, Injector) throws -> Bool) {
    self.init(
      name, test: { context, injector in try context.open(as: Context.self) { try condition($0, injector) } })
  }

  /// Creates a rule from a condition and its operand.
  package init(
    _ name: String, _ condition: @escaping @Sendable (Context, Injector) throws -> Bool,
    mentioning mention: Mention? = nil, seeing operand: @escaping @Sendable (Context, Injector) throws -> Operand
  ) {
    self.init(
      name, testing: { context, injector in try context.open(as: Context.self) { try condition($0, injector) } },
      RuleCondition.Traits(mention: mention), seeing: operand)
  }

  /// Creates a rule from a condition of your own on one property, whose value appears in explanations.
  ///
  /// ```swift
  /// // "+ is an adult: 42"
  /// Rule<Shopper>("is an adult", of: \.age) { $0 >= 18 }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The statement of the condition.
  ///   - property: The key path of the property that the condition looks at.
  ///   - condition: Returns whether the value satisfies the rule. If it throws, the outcome is indeterminate.
  @inlinable
  public init<Value>(
    _ name: String, of property: any KeyPath<Context, Value> & Sendable,
    _ condition: @escaping @Sendable (Value) throws -> Bool
  ) {
    let value = StoredProperty(property)
    self.init(name, of: value, test: { context, _ in try context.open(as: Context.self) { try condition(value($0)) } })
  }

  /// Evaluates the rule in a context.
  ///
  /// Parts are evaluated from left to right, until the outcome is certain.
  ///
  /// - Parameters:
  ///   - context: The value that the conditions look at.
  ///   - injector: The injector that conditions such as `property` look at.
  /// - Returns: The outcome. Only `satisfied` admits a candidate.
  public func evaluate(in context: Context, from injector: Injector = .default) -> RuleTrace.Outcome {
    ContextReference.with(context) { expression.evaluate(in: $0, from: injector) }
  }

  /// Evaluates every part of the rule in a context, and records the values that the parts looked at.
  ///
  /// - Parameters:
  ///   - context: The value that the conditions look at.
  ///   - injector: The injector that conditions such as `property` look at.
  /// - Returns: A tree of all parts that prints as text.
  public func trace(in context: Context, from injector: Injector = .default) -> RuleTrace {
    ContextReference.with(context) { expression.trace(in: $0, from: injector, TracedConditions()) }
  }
}

extension Rule {
  /// Creates a condition from a test that knows how to look at the context.
  @usableFromInline
  init(_ name: String, test: @escaping @Sendable (ContextReference, Injector) throws -> Bool) {
    self.init(name, testing: test)
  }

  /// Creates a condition on a property, whose value explanations show.
  @usableFromInline
  init<Value>(
    _ name: String, of value: StoredProperty<Context, Value>,
    test: @escaping @Sendable (ContextReference, Injector) throws -> Bool
  ) {
    self.init(name, testing: test, RuleCondition.Traits(property: value.path)) { context, _ in Operand(value(context)) }
  }

  init(
    _ name: String, testing test: @escaping RuleCondition.Look<Bool>,
    _ traits: RuleCondition.Traits = RuleCondition.Traits(),
    seeing operand: (@Sendable (Context, Injector) throws -> Operand)? = nil
  ) {
    let look = operand.map { operand -> RuleCondition.Look<Operand> in
      { context, injector in try context.open(as: Context.self) { try operand($0, injector) } }
    }
    self.init(.condition(RuleCondition(name, test, operand: look, traits)))
  }
}

extension Rule: CustomStringConvertible {
  /// The rule as an expression: `feature "semantic" && !(country == "FR")`.
  public var description: String { expression.description(nested: false) }
}

/// The statement of a rule, for code that does not know its context.
enum RuleExpression: Sendable {
  case constant(Bool)
  case condition(RuleCondition)
  /// `all` or `any` of the parts, or `not` of one.
  case composition(RuleTrace.Kind, [RuleExpression])
}

/// A single condition.
final class RuleCondition: Sendable {
  typealias Look<Result> = @Sendable (ContextReference, Injector) throws -> Result

  let name: String
  let test: Look<Bool>
  /// The value that the condition looks at.
  let operand: Look<Operand>?
  let traits: Traits

  /// The facts about a condition that are known without evaluating it.
  struct Traits: Sendable {
    /// The property of the context that the condition looks at.
    var property: (any AnyKeyPath & Sendable)?
    /// The types that represent the values that the condition looks at, the innermost first.
    var keys: [ObjectIdentifier] = []
    /// Whether the condition looks at the bucket of an identifier.
    var isShare = false
    /// Whether no context satisfies the condition.
    var isNever = false
    /// Whether a choice remembers what the condition finds.
    var isRemembered = false
    /// The selection that the condition requires at another point.
    var prerequisite: Prerequisite?
    /// The subject outside of the program that the condition looks at.
    var mention: Mention?
  }

  init(_ name: String, _ test: @escaping Look<Bool>, operand: Look<Operand>? = nil, _ traits: Traits) {
    (self.name, self.test, self.operand, self.traits) = (name, test, operand, traits)
  }
}

extension Rule {
  /// Returns a function that makes conditions on one decision among several candidates, such as a flag whose variants
  /// name them. A choice makes the decision once, not once for each candidate.
  package static func decided(
    mentioning mention: Mention, seeing operand: @escaping @Sendable (Context, Injector) throws -> Operand,
    by decide: @escaping @Sendable (Context, Injector) throws -> String?
  ) -> (_ name: String, _ candidate: String) -> Self {
    let decision = Boxed(decide)
    return { name, candidate in
      let test: RuleCondition.Look<Bool> = { context, injector in
        try context.candidate(by: decision, for: injector) {
          try context.open(as: Context.self) { try decision.value($0, injector) }
        } == candidate
      }
      return Rule(name, testing: test, RuleCondition.Traits(isRemembered: true, mention: mention), seeing: operand)
    }
  }
}

/// A subject of a condition outside the program, such as a flag: its kind, and its key among those.
///
/// The names are those of candidates in the subject, such as the variants of a flag that decides a point: the role of
/// such a name, and the names that an injector knows now. An audit compares them with the candidates.
package typealias Mention = (
  kind: String, key: String, names: (role: String, known: @Sendable (Injector) -> [String])?
)

/// A selection at another point, which a rule requires.
typealias Prerequisite = (candidate: String, point: String)
