/// An evaluated operation of a targeting: the operands that it read, and the result.
///
/// ```
/// if: "on"
///   in: true
///     var country: "DE"
///     ["AT", "DE"]
///   "on"
/// ```
///
/// Operands that the result does not depend on are not evaluated, and do not appear.
public struct FlagTrace: Sendable, Hashable, Codable {
  /// The operator, followed by the path if it is `var`; `nil` for a constant in the document.
  public let operation: String?

  /// The operands that were evaluated, in their order. For `map` and other operators on lists, they are the list,
  /// followed by the expression as evaluated for each element.
  public let operands: [FlagTrace]

  /// An additional remark, such as the bucket of `fractional`.
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
