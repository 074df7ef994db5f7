package import Plug

/// Looks for the names that misspelt ones may mean, until it has compared enough. So a document with many mistakes is
/// read in linear time: the first of them have hints.
final class SpellingHints {
  private var comparisons = 5_000

  /// The names of the named pieces of targeting.
  var evaluators: [String] = []

  @inline(never)
  func hint(for wanted: String, among names: [String]) -> String {
    guard names.count <= comparisons else { return "" }
    comparisons -= names.count
    return Spelling.hint(for: wanted, among: names)
  }
}

extension Spelling {
  /// A question for messages: `; did you mean "in"?`. It is empty if no name is near.
  ///
  /// Texts of more than 64 bytes are far from all others.
  package static func hint(for wanted: String, among names: [String]) -> String {
    if wanted.utf8.count > 64 { return "" }
    let near = nearest(to: wanted, among: names.filter { $0.utf8.count <= 64 }, name: \.self)
    return near.min().map { "; did you mean \(JSONWriter.quoted($0))?" } ?? ""
  }
}
