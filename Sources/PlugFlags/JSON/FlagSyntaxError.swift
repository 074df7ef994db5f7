/// The position at which a string stops being JSON as defined by RFC 8259.
///
/// ```
/// line 3, column 12: expected "," or "}", found "x"
/// ```
public struct FlagSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line of the position, counted from 1.
  public let line: Int

  /// The column of the position in bytes, counted from 1.
  public let column: Int

  /// A description of the mistake.
  public let problem: String

  /// The position and the problem.
  public var description: String { "line \(line), column \(column): \(problem)" }
}
