extension Rule {
  /// Satisfied if a string of the context contains another one; indeterminate if the string is `nil`.
  ///
  /// ```swift
  /// .contains(\.userAgent, "Mobile")
  /// ```
  ///
  /// The comparison is by canonical equivalence, as for `String`, and case-sensitive.
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - part: The string to look for. Every string contains the empty string.
  public static func contains(_ property: any KeyPath<Context, some RuleText> & Sendable, _ part: String) -> Self {
    text(property, name(property, "contains \(quoted(part))")) { $0.contains(part) }
  }

  /// Satisfied if a string of the context begins with another one; indeterminate if the string is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - prefix: The prefix.
  public static func hasPrefix(_ property: any KeyPath<Context, some RuleText> & Sendable, _ prefix: String) -> Self {
    text(property, name(property, "begins with \(quoted(prefix))")) { $0.hasPrefix(prefix) }
  }

  /// Satisfied if a string of the context ends with another one; indeterminate if the string is `nil`.
  ///
  /// ```swift
  /// .hasSuffix(\.email, "@example.com")
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - suffix: The suffix.
  public static func hasSuffix(_ property: any KeyPath<Context, some RuleText> & Sendable, _ suffix: String) -> Self {
    text(property, name(property, "ends with \(quoted(suffix))")) { $0.hasSuffix(suffix) }
  }

  /// Satisfied if a regular expression matches a whole string of the context; indeterminate if the string
  /// is `nil`.
  ///
  /// ```swift
  /// .matches(\.email, /.+@(shop|store)\.example/)
  /// ```
  ///
  /// Threads that evaluate the rule at the same time use separate copies of the expression. If the expression throws,
  /// as one with custom conversions can, the outcome is indeterminate.
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - regex: The regular expression.
  ///   - fileID: The file of the call, which names the expression in explanations.
  ///   - line: The line of the call.
  public static func matches<Output>(
    _ property: any KeyPath<Context, some RuleText> & Sendable,
    _ regex: @autoclosure @escaping @Sendable () -> Regex<Output>, fileID: String = #fileID, line: Int = #line
  ) -> Self {
    let (pool, location) = (Pool(regex), CodeLocation(fileID: fileID, line: line))
    return text(property, name(property, "matches the expression at \(location)")) { text in
      try pool.withElement { try $0.wholeMatch(in: text) != nil }
    }
  }

  private static func text<Text: RuleText>(
    _ property: any KeyPath<Context, Text> & Sendable, _ name: String,
    _ test: @escaping @Sendable (String) throws -> Bool
  ) -> Self {
    let missing = missingValue(property)
    return Rule(name, of: property) { value in
      guard let text = value.ruleText else { throw missing }
      return try test(text)
    }
  }
}

/// The types of properties that rules on strings look at: `String` and `String?`.
@_documentation(visibility: internal)
public protocol RuleText: Sendable {
  /// The text; `nil` if there is none.
  @_documentation(visibility: internal)
  var ruleText: String? { get }
}

extension String: RuleText {
  /// The string itself.
  @_documentation(visibility: internal)
  public var ruleText: String? { self }
}

extension String?: RuleText {
  /// The optional itself.
  @_documentation(visibility: internal)
  public var ruleText: String? { self }
}
