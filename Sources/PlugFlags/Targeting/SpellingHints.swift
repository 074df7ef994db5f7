import Plug

/// Suggests names instead of misspelled ones, with a limited number of comparisons. So a document with many
/// mistakes is read in linear time, and only the first mistakes have hints.
final class SpellingHints {
  private var comparisons = 5_000

  /// The names of the evaluators.
  var evaluators: [String] = []

  @inline(never)
  func hint(for wanted: String, among names: [String]) -> String {
    guard names.count <= comparisons else { return "" }
    comparisons -= names.count
    return Spelling.hint(for: wanted, among: names)
  }
}

package enum Spelling {
  /// A question for messages: `; did you mean "in"?`. It is empty if no name is similar.
  ///
  /// Strings of more than 64 bytes have no similar names.
  package static func hint(for wanted: String, among names: [String]) -> String {
    if wanted.utf8.count > 64 { return "" }
    let names = names.filter { $0.utf8.count <= 64 }
    let near = nearestNames(to: wanted, among: names)
    return near.map { names[$0] }.min().map { "; did you mean \(JSONWriter.quoted($0))?" } ?? ""
  }
}
