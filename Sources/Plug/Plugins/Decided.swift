/// What was chosen for a context otherwise than among candidates, such as the variant of a flag.
package struct Decided {
  /// What stands in the place of a service.
  package let kind: any Any.Type
  /// What was decided, and what for.
  package let name, outcome: String
  /// Whether nothing but a default decides.
  package let isDefault: Bool
  package let context: ContextReference

  package init(_ kind: any Any.Type, _ name: String, _ outcome: String, isDefault: Bool, in context: ContextReference) {
    (self.kind, self.name, self.outcome, self.isDefault, self.context) = (kind, name, outcome, isDefault, context)
  }
}
