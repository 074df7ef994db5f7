/// Finds the name that is most like a wanted one.
///
/// Names are compared by their bytes in UTF-8, so that no array of characters is made of each.
package struct Spelling {
  private let wanted: [UInt8]
  private var row: [Int]

  init(_ wanted: String) {
    self.wanted = Array(wanted.utf8)
    row = Array(repeating: 0, count: self.wanted.count + 1)
  }

  /// The nearest names, if they are near enough to be meant: at most every second byte differs.
  ///
  /// - Complexity: O(*n* · *m* · *d*) for *n* names of *m* bytes, of which the nearest differs in *d*.
  package static func nearest<Named>(to wanted: String, among all: [Named], name: (Named) -> String) -> [Named] {
    var spelling = Spelling(wanted)
    var (nearest, least) = ([Named](), Int.max)
    for candidate in all {
      let name = name(candidate)
      let limit = min(least, max(spelling.wanted.count, name.utf8.count) / 2)
      guard let distance = spelling.distance(to: name, atMost: limit) else { continue }
      if distance < least { nearest = [] }
      nearest.append(candidate)
      least = distance
    }
    return nearest
  }

  /// The Levenshtein distance: how many bytes must be inserted, removed or replaced (Wagner–Fischer algorithm, of which
  /// only the band is computed that can stay within the limit: Ukkonen, 1985).
  ///
  /// - Returns: `nil` if it is more than the limit.
  mutating func distance(to name: String, atMost limit: Int) -> Int? {
    let count = wanted.count
    guard abs(name.utf8.count - count) <= limit else { return nil }
    for column in 0...count { row[column] = column }
    for (index, byte) in name.utf8.enumerated() {
      let band = max(0, index - limit)..<min(count, index + limit + 1)
      var diagonal = row[band.lowerBound]
      row[band.lowerBound] = band.lowerBound == 0 ? index + 1 : limit + 1
      var least = row[band.lowerBound]
      for column in band {
        let above = column < index + limit ? row[column + 1] : limit + 1
        let replaced = diagonal + (wanted[column] == byte ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(above + 1, row[column] + 1, replaced)
        least = min(least, row[column + 1])
      }
      if least > limit { return nil }
    }
    return row[count] <= limit ? row[count] : nil
  }
}
