/// When something applies: a named, composable condition on a context.
///
/// A rule looks at one immutable value and has one of three outcomes. It is *satisfied* or *unsatisfied*, or, if its
/// condition threw or a value was missing, *indeterminate*. Composition follows Kleene's strong logic of
/// three values, and only a satisfied rule opens a gate: one that cannot be determined is shut, and so is its negation.
///
/// ```swift
/// let rule: Rule<Shopper> = .feature("semantic") && !.equals(\.country, "XX")
/// let adult = Rule<Shopper>("is an adult") { $0.age >= 18 }
/// rule.evaluate(in: shopper)      // .satisfied
/// print(rule.trace(in: shopper))  // every part, with the values it saw
/// ```
///
/// Compositions can lie one inside of the other 100 deep. What would be deeper is indeterminate in every context, with
/// that as the reason.
public struct Rule<Context: Sendable>: Sendable {
  indirect enum Expression: Sendable {
    case constant(Bool)
    case condition(Condition)
    case not(Expression)
    case all([Expression])
    case any([Expression])
  }

  /// One test of one value.
  struct Condition: Sendable {
    let name: String
    /// Whether the context passes the test.
    let test: @Sendable (Context) throws -> Bool
    /// The value that the test looks at, for the trace.
    let operand: (@Sendable (Context) throws -> String)?
  }

  let expression: Expression

  /// How many compositions lie one inside of the other.
  let depth: Int

  init(_ expression: Expression, depth: Int = 0) {
    self.expression = expression
    self.depth = depth
  }

  /// Creates a rule from a condition of your own.
  ///
  /// - Parameters:
  ///   - name: What the condition says, for explanations: "is an adult".
  ///   - condition: Whether the context satisfies it. If it throws, the outcome is indeterminate.
  public init(_ name: String, _ condition: @escaping @Sendable (Context) throws -> Bool) {
    self.init(.condition(Condition(name: name, test: condition, operand: nil)))
  }

  /// Creates a rule from a condition of your own on one property, whose value then stands in explanations.
  ///
  /// ```swift
  /// Rule<Shopper>("is an adult", of: \.age) { $0 >= 18 }  // "+ is an adult: 42"
  /// ```
  ///
  /// - Parameters:
  ///   - name: What the condition says.
  ///   - property: What it looks at.
  ///   - condition: Whether the value satisfies it. If it throws, the outcome is indeterminate.
  public init<Value>(
    _ name: String, of property: any KeyPath<Context, Value> & Sendable,
    _ condition: @escaping @Sendable (Value) throws -> Bool
  ) {
    self.init(
      .condition(
        Condition(
          name: name,
          test: { try condition($0[keyPath: property]) },
          operand: { quoted($0[keyPath: property]) }
        )))
  }

  /// Decides the rule for a context.
  ///
  /// Parts are evaluated from left to right, and only as many as the outcome takes.
  public func evaluate(in context: Context) -> RuleTrace.Outcome {
    expression.evaluate(in: context)
  }

  /// Decides the rule for a context, and says how: evaluates every part and notes the values that it saw.
  public func trace(in context: Context) -> RuleTrace {
    expression.trace(in: context)
  }
}

extension Rule: CustomStringConvertible {
  /// The rule as an expression: `feature "semantic" && !(country == "XX")`.
  public var description: String { expression.description(nested: false) }
}
