import Plug
import PlugKeys

/// What the help says about a candidate: its metadata.
struct Summary: Sendable {
  let text: String
}

extension Candidate {
  /// Describes the candidate for the help.
  func summary(_ text: String) -> Self { metadata(Summary(text: text)) }
}
