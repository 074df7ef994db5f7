/// A context that knows which features are switched on for it.
public protocol FeatureContext: Sendable {
  /// The names of the features that are switched on.
  var enabledFeatures: Set<String> { get }
}

extension Rule where Context: FeatureContext {
  /// Satisfied if the feature is switched on.
  public static func feature(_ name: String) -> Self {
    Rule(
      .condition(
        Condition(
          name: "feature \(quoted(name))",
          test: { $0.enabledFeatures.contains(name) },
          operand: { "[\($0.enabledFeatures.sorted().map(quoted).joined(separator: ", "))]" }
        )))
  }
}
