/// How a targeting was evaluated: an operation with the operands that it looked at, and the result.
///
/// ```
/// if: "on"
///   in: true
///     var country: "DE"
///     ["AT", "DE"]
///   "on"
/// ```
///
/// Operands that decide nothing are not evaluated, and do not appear.
public struct FlagTrace: Sendable, Hashable, Codable {
  /// The operator, for `var` with its path; `nil` for a value that the document contains.
  public let operation: String?

  /// The operands that were evaluated, in their order. Those of `map` and others are the list, and then what was
  /// evaluated for each element.
  public let operands: [FlagTrace]

  /// What else is to be known, such as the bucket of `fractional`.
  public let remark: String?

  /// The result.
  public let result: FlagValue
}

extension FlagTrace: CustomStringConvertible {
  /// A line for each operation, with two more spaces for each level.
  public var description: String {
    lines(level: 0).joined(separator: "\n")
  }

  func lines(level: Int) -> [String] {
    let indent = String(repeating: "  ", count: level)
    let line = (operation.map { "\($0): " } ?? "") + result.description + (remark.map { " (\($0))" } ?? "")
    return [indent + line] + operands.flatMap { $0.lines(level: level + 1) }
  }
}
