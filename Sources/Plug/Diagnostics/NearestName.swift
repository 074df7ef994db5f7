/// The registered service whose name is most similar to the missing one. It is searched for when the error is read.
///
/// Until then, this refers weakly to the injector, so that an error that is kept keeps nothing else.
final class NearestName: Sendable {
  private struct State {
    /// The injector to search; `nil` if it has been searched or released.
    weak var injector: Injector?
    var found = Findings()
  }

  struct Findings {
    var suggestion: InjectorError.Suggestion?
    /// What to do about the missing service.
    var remedy: String?
    /// The name of the injector, if it was made for its name and is empty.
    var missingName: String?
  }

  private let name: String
  private let key: Key?
  private let state: Guarded<State>

  /// Searches an injector and its parents.
  ///
  /// - Parameter key: The missing service. It is ignored if it has been registered meanwhile.
  init(to name: String, unless key: Key?, in injector: Injector) {
    (self.name, self.key) = (name, key)
    state = Guarded(State(injector: injector))
  }

  /// Holds the nearest of the given suggestions.
  init(to text: String, among all: [InjectorError.Suggestion]) {
    (name, key) = ("", nil)
    let nearest = InjectorError.Suggestion.first(Spelling.nearest(to: text, among: all, name: \.name))
    state = Guarded(State(found: Findings(suggestion: nearest)))
  }

  var found: Findings {
    let (injector, found) = state.withLock { ($0.injector, $0.found) }
    guard let injector else { return found }
    let new = Self.nearest(to: name, key, in: injector)
    return state.withLock { state in
      // Another thread may have been first.
      if state.injector === injector { state = State(found: new) }
      return state.found
    }
  }

  /// A service of the same type with another tag, one that could be registered as the missing service, or a service of
  /// any type with a similar name. Of several services, the first in alphabetical order.
  private static func nearest(to name: String, _ key: Key?, in injector: Injector) -> Findings {
    let all = injector.levels.flatMap(\.registrations).filter { $0.key != key }
    let tagged = key?.tag == nil ? all.filter { $0.key.type == key?.type } : []
    let meant = tagged.isEmpty ? key.map(injector.undeclared) ?? [] : tagged
    var found = Spelling.nearest(to: name, among: meant.isEmpty ? all : meant, name: \.key.text)
    if found.isEmpty { found = meant }
    let names = DistinctNames(all.map(\.key) + [key].compactMap(\.self))
    let suggestion = InjectorError.Suggestion.first(
      found.map { InjectorError.Suggestion(name: names.name(of: $0.key), registeredAt: $0.location) })
    return Findings(
      suggestion: suggestion, remedy: tagged.isEmpty ? key.flatMap(injector.remedy) : nil,
      missingName: all.isEmpty && injector.isMadeForItsName ? injector.name?.rawValue : nil)
  }
}

extension InjectorError.Suggestion {
  package init(_ name: String, at location: CodeLocation) { self.init(name: name, registeredAt: location) }

  /// The first suggestion in alphabetical order.
  static func first(_ some: [Self]) -> Self? {
    alphabeticalOrder(of: some.map { "\($0.name)\0\($0.registeredAt)" }).first.map { some[$0] }
  }
}

/// Finds the name that is most similar to a wanted one.
///
/// Names are compared by their bytes in UTF-8, which needs no array of characters for each.
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
    nearest(to: wanted, among: all.map(name)).map { all[$0] }
  }

  @inline(never)
  private static func nearest(to wanted: String, among names: [String]) -> [Int] {
    var spelling = Spelling(wanted)
    var (nearest, least) = ([Int](), Int.max)
    for (index, name) in names.enumerated() {
      let limit = min(least, max(spelling.wanted.count, name.utf8.count) / 2)
      guard let distance = spelling.distance(to: name, atMost: limit) else { continue }
      if distance < least { nearest = [] }
      nearest.append(index)
      least = distance
    }
    return nearest
  }

  /// The Levenshtein distance: the number of bytes to insert, remove or replace (Wagner–Fischer algorithm, limited to
  /// the band that can stay within the limit: Ukkonen, 1985).
  ///
  /// - Returns: `nil` if the distance exceeds the limit.
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
