/// The registered service with the name most like that of a missing one, which is searched when the error is read.
///
/// Until then it refers weakly to the injector, so that an error that is kept keeps nothing else.
final class NearestName: Sendable {
  private struct Asked {
    weak var injector: Injector?
  }

  private enum Progress {
    case open(String, Key?, Asked)
    case found(InjectorError.Suggestion?)
  }

  private let progress: Guarded<Progress>

  /// Searches in a registry and those around it.
  ///
  /// - Parameter key: What is missing, and does not count if it is registered until then.
  init(to name: String, unless key: Key?, in injector: Injector) {
    progress = Guarded(.open(name, key, Asked(injector: injector)))
  }

  /// What has been found already.
  init(_ suggestion: InjectorError.Suggestion?) { progress = Guarded(.found(suggestion)) }

  var suggestion: InjectorError.Suggestion? {
    switch progress.withLock({ $0 }) {
    case .found(let suggestion): return suggestion
    case .open(let name, let key, let asked):
      let new = asked.injector.flatMap { Self.nearest(to: name, key, in: $0) }
      return progress.withLock { progress in
        // Another thread may have been first.
        if case .found(let first) = progress { return first }
        progress = .found(new)
        return new
      }
    }
  }

  /// Of one type with another tag, of which each may be meant, or of any type with a name that is near; of several the
  /// first in alphabetical order.
  private static func nearest(to name: String, _ key: Key?, in injector: Injector) -> InjectorError.Suggestion? {
    var (all, tagged): ([Registration], [Registration]) = ([], [])
    for level in injector.levels {
      for registration in level.cells.map(\.registration) where registration.key != key {
        all.append(registration)
        if let key, key.tag == nil, key.type == registration.key.type { tagged.append(registration) }
      }
    }
    var found: [Registration] = []
    for some in [tagged, all] where found.isEmpty {
      found = Spelling.nearest(to: name, among: some, name: \.serviceName)
      if found.isEmpty { found = tagged }
    }
    let names = DistinctNames(all.map(\.key) + [key].compactMap(\.self))
    return .first(found.map { InjectorError.Suggestion(name: names.name(of: $0.key), registeredAt: $0.location) })
  }
}

extension InjectorError.Suggestion {
  /// The one that is nearest to a name.
  static func nearest(to name: String, among all: [Self]) -> Self? {
    first(Spelling.nearest(to: name, among: all, name: \.name))
  }

  /// The first in alphabetical order.
  fileprivate static func first(_ some: [Self]) -> Self? {
    alphabeticalOrder(of: some.map { "\($0.name)\0\($0.registeredAt)" }).first.map { some[$0] }
  }
}

extension Registration {
  /// The name of the service, also of a candidate.
  fileprivate var serviceName: String { ServiceName(key: key, candidate: nil).text }
}
