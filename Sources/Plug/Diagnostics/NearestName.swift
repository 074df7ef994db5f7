/// The registered service whose name is most similar to the missing one. It is searched for when the error is read.
///
/// Until then, this refers weakly to the injector, so that an error that is kept keeps nothing else.
final class NearestName: Sendable {
  struct Findings {
    var suggestion: InjectorError.Suggestion?
    /// What to do about the missing service.
    var remedy: String?
    /// The name of the injector, if it was made for its name and is empty.
    var missingName: String?
  }

  private let name: String
  private let key: Key?
  private weak let injector: Injector?
  private let others: [InjectorError.Suggestion]

  /// - Parameters:
  ///   - key: The missing service. It is ignored if it has been registered meanwhile.
  ///   - injector: The injector that is searched, with its parents.
  ///   - others: The names that are searched if there is no injector.
  init(
    to name: String, unless key: Key? = nil, in injector: Injector? = nil, among others: [InjectorError.Suggestion] = []
  ) { (self.name, self.key, self.injector, self.others) = (name, key, injector, others) }

  /// A service of the same type with another tag, one that could be registered as the missing service, or a service of
  /// any type with a similar name. Of several services, the first in alphabetical order.
  var found: Findings {
    guard let injector else {
      let nearest = nearestNames(to: name, among: others.map(\.name))
      return Findings(suggestion: .first(nearest.map { others[$0] }))
    }
    let all = injector.levels.flatMap(\.registrations).filter { $0.key != key }
    let tagged = key?.tag == nil ? all.filter { $0.key.type == key?.type } : []
    let meant = tagged.isEmpty ? key.map(injector.undeclared) ?? [] : tagged
    let searched = meant.isEmpty ? all : meant
    var found = nearestNames(to: name, among: searched.map(\.key.text)).map { searched[$0] }
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
  /// The first suggestion in alphabetical order.
  static func first(_ some: [Self]) -> Self? {
    alphabeticalOrder(of: some.map { "\($0.name)\0\($0.registeredAt)" }).first.map { some[$0] }
  }
}

/// The positions of the names that are most similar to a wanted one, if they are near enough to be meant: at most every
/// second byte differs.
///
/// - Complexity: O(*n* · *m*²) for *n* names of *m* bytes.
package func nearestNames(to wanted: String, among names: [String]) -> [Int] {
  var (nearest, least) = ([Int](), Int.max)
  for (index, name) in names.enumerated() {
    let (count, wantedCount) = (name.utf8.count, wanted.utf8.count)
    let limit = min(least, max(count, wantedCount) / 2)
    guard abs(count - wantedCount) <= limit, case let distance = distance(wanted, name), distance <= limit else {
      continue
    }
    if distance < least { nearest = [] }
    nearest.append(index)
    least = distance
  }
  return nearest
}

/// The Levenshtein distance: the number of bytes to insert, remove or replace (Wagner–Fischer algorithm).
private func distance(_ first: String, _ second: String) -> Int {
  let first = Array(first.utf8)
  var row = Array(0...first.count)
  for (index, byte) in second.utf8.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in first.indices {
      let replaced = diagonal + (first[column] == byte ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(row[column] + 1, row[column + 1] + 1, replaced)
    }
  }
  return row[first.count]
}
