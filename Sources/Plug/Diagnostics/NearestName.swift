/// The registered service with the name most like that of a missing one, which is searched when somebody wants to know.
///
/// Until then it refers weakly to the registrations, so that an error that is kept keeps nothing else. It is no part of
/// what makes facts equal.
struct NearestName: Sendable, Hashable {
  private let search: Search

  /// Searches in a registry and those around it.
  ///
  /// - Parameter key: What is missing, and does not count if it is registered until then.
  init(to name: String, unless key: ServiceKey?, in registrations: Registrations) {
    let levels = sequence(first: registrations, next: \.parent).map(Level.init)
    search = Search(.open(name, key, levels))
  }

  /// What has been found already.
  init(_ neighbor: InjectorError.Neighbor?) {
    search = Search(.found(neighbor))
  }

  var neighbor: InjectorError.Neighbor? { search.neighbor }

  static func == (first: Self, second: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}

  private struct Level {
    weak var registrations: Registrations?
  }

  private enum Progress {
    case open(String, ServiceKey?, [Level])
    case found(InjectorError.Neighbor?)
  }

  private final class Search: Sendable {
    private let progress: Guarded<Progress>

    init(_ progress: sending Progress) {
      self.progress = Guarded(progress)
    }

    var neighbor: InjectorError.Neighbor? {
      switch progress.withLock({ $0 }) {
      case .found(let neighbor): return neighbor
      case .open(let name, let key, let levels):
        let registered = levels.compactMap(\.registrations).flatMap(\.registered).filter { $0.key != key }
        return found(.nearest(to: name, among: registered.map(InjectorError.Neighbor.init)))
      }
    }

    /// - Returns: What another thread has found, if that was first.
    private func found(_ neighbor: InjectorError.Neighbor?) -> InjectorError.Neighbor? {
      progress.withLock { progress in
        if case .found(let first) = progress { return first }
        progress = .found(neighbor)
        return neighbor
      }
    }
  }
}

extension InjectorError.Neighbor {
  /// The nearest of some; of several the first in alphabetical order.
  static func nearest(to name: String, among all: [Self]) -> Self? {
    Spelling.nearest(to: name, among: all, name: \.name)
      .min { ($0.name, $0.registeredAt.description) < ($1.name, $1.registeredAt.description) }
  }

  fileprivate init(_ entry: AnyEntry) {
    self.init(name: entry.key.name, registeredAt: entry.site)
  }
}
