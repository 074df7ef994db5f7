extension Rule {
  /// Satisfied if a string of the context contains another one.
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
  public static func contains(_ property: any KeyPath<Context, String> & Sendable, _ part: String) -> Self {
    compare(property, name(property, "contains \(quoted(part))")) { $0.contains(part) }
  }

  /// Satisfied if an optional string of the context contains another one; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - part: The string to look for.
  public static func contains(_ property: any KeyPath<Context, String?> & Sendable, _ part: String) -> Self {
    compare(property, name(property, "contains \(quoted(part))")) { $0.contains(part) }
  }

  /// Satisfied if a string of the context begins with another one.
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - prefix: The prefix.
  public static func hasPrefix(_ property: any KeyPath<Context, String> & Sendable, _ prefix: String) -> Self {
    compare(property, name(property, "begins with \(quoted(prefix))")) { $0.hasPrefix(prefix) }
  }

  /// Satisfied if an optional string of the context begins with another one; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - prefix: The prefix.
  public static func hasPrefix(_ property: any KeyPath<Context, String?> & Sendable, _ prefix: String) -> Self {
    compare(property, name(property, "begins with \(quoted(prefix))")) { $0.hasPrefix(prefix) }
  }

  /// Satisfied if a string of the context ends with another one.
  ///
  /// ```swift
  /// .hasSuffix(\.email, "@example.com")
  /// ```
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - suffix: The suffix.
  public static func hasSuffix(_ property: any KeyPath<Context, String> & Sendable, _ suffix: String) -> Self {
    compare(property, name(property, "ends with \(quoted(suffix))")) { $0.hasSuffix(suffix) }
  }

  /// Satisfied if an optional string of the context ends with another one; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - suffix: The suffix.
  public static func hasSuffix(_ property: any KeyPath<Context, String?> & Sendable, _ suffix: String) -> Self {
    compare(property, name(property, "ends with \(quoted(suffix))")) { $0.hasSuffix(suffix) }
  }

  /// Satisfied if a regular expression matches a whole string of the context.
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
    _ property: any KeyPath<Context, String> & Sendable, _ regex: @autoclosure @escaping @Sendable () -> Regex<Output>,
    fileID: String = #fileID, line: Int = #line
  ) -> Self {
    compare(property, name(property, pattern(fileID, line)), matching(regex))
  }

  /// Satisfied if a regular expression matches a whole optional string of the context; indeterminate if it is `nil`.
  ///
  /// - Parameters:
  ///   - property: The key path of the string.
  ///   - regex: The regular expression.
  ///   - fileID: The file of the call, which names the expression in explanations.
  ///   - line: The line of the call.
  public static func matches<Output>(
    _ property: any KeyPath<Context, String?> & Sendable,
    _ regex: @autoclosure @escaping @Sendable () -> Regex<Output>, fileID: String = #fileID, line: Int = #line
  ) -> Self {
    compare(property, name(property, pattern(fileID, line)), matching(regex))
  }

  private static func matching<Output>(
    _ regex: @escaping @Sendable () -> Regex<Output>
  ) -> @Sendable (String) throws -> Bool {
    let pool = Pool(regex)
    return { text in try pool.withElement { try $0.wholeMatch(in: text) != nil } }
  }

  private static func pattern(_ fileID: String, _ line: Int) -> String {
    "matches the expression at \(CodeLocation(fileID: fileID, line: line))"
  }
}
