/// What a condition looks at outside of the program, such as a flag.
@usableFromInline
package struct Mention: Sendable {
  /// Names of candidates that it has, such as the variants of a flag that decides a point.
  ///
  /// ``Injector/validate(_:)`` compares them with the candidates that there are.
  package struct Designation: Sendable {
    /// What a name is there: `variant`.
    let role: String

    /// The names that an injector knows at the moment.
    let names: @Sendable (Injector) -> [String]

    package init(role: String, names: @escaping @Sendable (Injector) -> [String]) {
      (self.role, self.names) = (role, names)
    }
  }

  /// What it is: `flag`.
  package let kind: String

  /// What it is called.
  package let key: String

  /// `nil` if it names no candidates.
  let designation: Designation?

  package init(kind: String, key: String, designation: Designation? = nil) {
    (self.kind, self.key, self.designation) = (kind, key, designation)
  }
}

extension Mention: CustomStringConvertible {
  /// What it is, for messages: `flag "checkout"`.
  @usableFromInline package var description: String { "\(kind) \(quoted(key))" }
}
