/// Finds the name that is most like a wanted one.
enum Spelling {
  /// A question for messages: `; did you mean "in"?`. It is empty if no name is near.
  static func hint(for wanted: String, among names: some Sequence<String>) -> String {
    let near = names.map { ($0, distance(wanted, $0)) }
      .filter { $0.1 <= max(wanted.utf8.count, $0.0.utf8.count) / 2 }
    return near.min { ($0.1, $0.0) < ($1.1, $1.0) }.map { "; did you mean \(JSONWriter.quoted($0.0))?" } ?? ""
  }

  /// The Levenshtein distance in bytes (Wagner–Fischer algorithm). Texts of more than 64 bytes are far from all others.
  private static func distance(_ first: String, _ second: String) -> Int {
    guard first.utf8.count <= 64, second.utf8.count <= 64 else { return .max }
    var row = Array(0...second.utf8.count)
    for (index, byte) in first.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in second.utf8.enumerated() {
        let replaced = diagonal + (byte == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(diagonal + 1, row[column] + 1, replaced)
      }
    }
    return row[second.utf8.count]
  }
}
