/// A context that knows which features are switched on for it.
public protocol FeatureContext: Sendable {
  /// The names of the features that are switched on.
  var enabledFeatures: Set<String> { get }
}

extension Rule where Context: FeatureContext {
  /// Satisfied if the feature is switched on.
  @inlinable
  public static func feature(_ name: String) -> Self {
    Rule(feature: name) { $0.enabledFeatures.contains(name) }
  }

  @usableFromInline
  init(feature name: String, test: @escaping @Sendable (Context) -> Bool) {
    self.init(
      .condition(
        Condition(
          name: "feature \(quoted(name))",
          test: test,
          operand: { "[\($0.enabledFeatures.sorted().map(quoted).joined(separator: ", "))]" }
        )))
  }
}
