/// A candidate with its point, as the command line names it: `semantic@search`.
struct CandidateName: Equatable {
  let id: String
  let point: String

  /// - Returns: `nil` if one of the two is missing.
  init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    (id, point) = (String(parts[0]), String(parts[1]))
  }
}
