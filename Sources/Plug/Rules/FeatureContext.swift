/// A context with a set of enabled features.
///
/// Conform the context of your rules to this protocol to use ``Rule/feature(_:)``:
///
/// ```swift
/// struct Shopper: FeatureContext {
///   let id: String
///   let enabledFeatures: Set<String>
/// }
///
/// let beta: Rule<Shopper> = .feature("beta")
/// ```
public protocol FeatureContext: Sendable {
  /// The names of the enabled features.
  var enabledFeatures: Set<String> { get }
}

extension Rule where Context: FeatureContext {
  /// Satisfied if a feature is enabled.
  ///
  /// - Parameter name: The name of the feature, which is case-sensitive.
  @inlinable
  public static func feature(_ name: String) -> Self {
    Rule(feature: name) { context, _ in
      context.open(as: Context.self) { $0.enabledFeatures.contains(name) }
    }
  }

  @usableFromInline
  init(feature name: String, test: @escaping @Sendable (ContextReference, Injector) throws -> Bool) {
    self.init("feature \(quoted(name))", testing: test) { context, _ in
      if (context as? any PrivateContext)?.hides(context.enabledFeatures) == true { return Operand(text: hidden) }
      let features = Array(context.enabledFeatures).alphabetical
      return Operand(text: "[\(features.map(quoted).joined(separator: ", "))]", value: RuleTrace.Value(features))
    }
  }
}
