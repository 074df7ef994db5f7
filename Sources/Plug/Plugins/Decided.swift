/// A decision for a context that does not choose among candidates, such as the variant of a flag.
package struct Decided {
  /// The type that identifies the decision, as a service identifies a choice.
  package let kind: any Any.Type
  /// The subject of the decision, and its outcome.
  package let name, outcome: String
  /// Whether the outcome is a default.
  package let isDefault: Bool
  package let context: ContextReference

  package init(_ kind: any Any.Type, _ name: String, _ outcome: String, isDefault: Bool, in context: ContextReference) {
    (self.kind, self.name, self.outcome, self.isDefault, self.context) = (kind, name, outcome, isDefault, context)
  }
}
