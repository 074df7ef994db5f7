public import Plug

extension Rule {
  /// Satisfied if a string of the context is greater than or equal to a bound, by the order of their characters.
  ///
  /// It is deprecated because that order is not the order of versions: `"10.0.0"` is less than `"9.0.0"`.
  @available(*, deprecated, message: "strings do not compare as versions: make the property a SemanticVersion")
  public static func atLeast(_ property: any KeyPath<Context, String> & Sendable, _ bound: String) -> Self {
    within(property, bound...)
  }
}
