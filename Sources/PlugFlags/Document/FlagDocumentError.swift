/// The reason why a text is no flag document at all.
///
/// What is wrong within a document is no error, but one of its ``FlagDocument/problems``.
public enum FlagDocumentError: Error, Sendable, Hashable {
  /// The file cannot be read, for the reason that the system gives.
  case unreadable(path: String, reason: String)

  /// The text is no JSON.
  case notJSON(FlagSyntaxError)

  /// The text is JSON, but has no object named `flags`.
  case noFlags(problem: String)
}

extension FlagDocumentError: CustomStringConvertible {
  /// The error with its cause and a remedy.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      """
      Flag document \(JSONWriter.quoted(path)) cannot be read
      \(reason)
      To fix this: check that the file exists, and that the process may read it
      """
    case .notJSON(let error):
      """
      The text is no flag document, because it is no JSON
      \(error)
      To fix this: correct the text at this place
      """
    case .noFlags(let problem):
      """
      The text is no flag document, because it has no flags
      \(problem)
      To fix this: write the flags as {"flags": {"name of a flag": {"state": "ENABLED", "variants": {…}}}}
      """
    }
  }
}
