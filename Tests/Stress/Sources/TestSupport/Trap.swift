public import Testing

/// The message with which a process ended, without the output that the runtime adds.
public func message(of result: ExitTest.Result?, lines: Int) throws -> String {
  let output = try #require(result).standardErrorContent
  let text = String(decoding: output, as: UTF8.self)
  return text.split(separator: "\n", omittingEmptySubsequences: false).prefix(lines).joined(separator: "\n")
}

extension String {
  /// The number of lines of the text.
  public var lineCount: Int { split(separator: "\n", omittingEmptySubsequences: false).count }
}
