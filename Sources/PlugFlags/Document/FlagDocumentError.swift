import Foundation

/// The reason why a string is not a flag document.
///
/// A mistake within a document is not an error: it is one of the ``FlagDocument/problems``.
public enum FlagDocumentError: Error, Sendable, Hashable {
  /// The file or the URL cannot be read, for the reason that the system or the server gives.
  case unreadable(path: String, reason: String)

  /// The string is not JSON.
  case notJSON(FlagSyntaxError)

  /// The string is JSON, but has no object named `flags`.
  case noFlags(problem: String)
}

extension FlagDocumentError {
  /// Creates the error for a file that cannot be read.
  init(path: String, _ error: any Error) {
    let cause = (error as? CocoaError)?.underlying as NSError?
    self = .unreadable(path: path, reason: cause?.localizedFailureReason ?? error.localizedDescription)
  }

  /// The cause in one line.
  var reason: String {
    switch self {
    case .unreadable(_, let reason): reason
    case .notJSON(let error): error.description
    case .noFlags(let problem): problem
    }
  }
}

extension FlagDocumentError: CustomStringConvertible {
  /// The error with its cause and a remedy.
  public var description: String {
    let (headline, remedy) =
      switch self {
      case .unreadable(let path, _): ("Flag document \(JSONWriter.quoted(path)) cannot be read", Self.accessRemedy)
      case .notJSON: ("The text is not a flag document, because it is not JSON", "correct the text at this place")
      case .noFlags: ("The text is not a flag document, because it has no flags", Self.formatRemedy)
      }
    return "\(headline)\n\(reason)\nTo fix this: \(remedy)"
  }

  private static let accessRemedy = "check that it exists, and that the process may read it"
  private static let formatRemedy =
    #"write the flags as {"flags": {"name of a flag": {"state": "ENABLED", "variants": {…}}}}"#
}
