/// The registered service with the name most like that of a missing one, which is searched when somebody wants to know.
///
/// Until then it refers weakly to the injector, so that an error that is kept keeps nothing else. It is no part of
/// what makes facts equal.
struct NearestName: Sendable, Hashable {
  private let search: Search

  /// Searches in a registry and those around it.
  ///
  /// - Parameter key: What is missing, and does not count if it is registered until then.
  init(to name: String, unless key: Key?, in injector: Injector) {
    search = Search(.open(name, key, Asked(injector: injector)))
  }

  /// What has been found already.
  init(_ suggestion: InjectorError.Suggestion?) {
    search = Search(.found(suggestion))
  }

  var suggestion: InjectorError.Suggestion? { search.suggestion }

  static func == (first: Self, second: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}

  private struct Asked {
    weak var injector: Injector?
  }

  private enum Progress {
    case open(String, Key?, Asked)
    case found(InjectorError.Suggestion?)
  }

  private final class Search: Sendable {
    private let progress: Guarded<Progress>

    init(_ progress: sending Progress) {
      self.progress = Guarded(progress)
    }

    var suggestion: InjectorError.Suggestion? {
      switch progress.withLock({ $0 }) {
      case .found(let suggestion): return suggestion
      case .open(let name, let key, let asked):
        let registered = asked.injector.map { $0.levels.flatMap(\.cells) } ?? []
        let others = registered.map(\.registration).filter { $0.key != key }
        let names = DistinctNames(others.map(\.key) + [key].compactMap(\.self))
        let tagged =
          key?.tag != nil ? [] : others.filter { $0.key.type == key?.type }.map { InjectorError.Suggestion($0, names) }
        return found(
          .nearest(to: name, among: tagged) ?? tagged.min { $0.name < $1.name }
            ?? .nearest(to: name, among: others, names))
      }
    }

    /// - Returns: What another thread has found, if that was first.
    private func found(_ suggestion: InjectorError.Suggestion?) -> InjectorError.Suggestion? {
      progress.withLock { progress in
        if case .found(let first) = progress { return first }
        progress = .found(suggestion)
        return suggestion
      }
    }
  }
}

extension InjectorError.Suggestion {
  /// The nearest of some; of several the first in alphabetical order.
  static func nearest(to name: String, among all: [Self]) -> Self? {
    Spelling.nearest(to: name, among: all, name: \.name)
      .min { ($0.name, $0.registeredAt.description) < ($1.name, $1.registeredAt.description) }
  }

  /// The nearest of some registrations by their short names, with a name that tells it from others.
  fileprivate static func nearest(to name: String, among all: [Registration], _ names: DistinctNames) -> Self? {
    Spelling.nearest(to: name, among: all) { ServiceName(key: $0.key, candidate: nil).text }
      .map { Self($0, names) }
      .min { ($0.name, $0.registeredAt.description) < ($1.name, $1.registeredAt.description) }
  }

  fileprivate init(_ registration: Registration, _ names: DistinctNames) {
    self.init(name: names.name(of: registration.key), registeredAt: registration.location)
  }
}
