/// A service that the factory or the configuration of another asks for.
struct Dependency: Sendable, Hashable {
  /// Which injector is asked.
  enum Place: Sendable, Hashable {
    /// The one that the closure is handed.
    case handed
    /// One that this is a scope of, so deep.
    case outer(Int32)
    /// A scope of it, which the closure has opened or got.
    case scope
  }

  let key: ServiceKey
  /// Whether it is asked for in a configuration, when everything has been made.
  var isConfigured = false
  /// Whether the one who asks can do without.
  var isOptional = false
  /// Whether the one who asks gives the context that chooses among candidates.
  var givesContext = false
  var place = Place.handed
  /// How deep the injector lies in which it was registered then, if it was.
  var depth: Int32?
  /// Whether the request was answered. If not, the one who asked has done without.
  var isAnswered = true
}

/// What one run of a factory, with all that wraps the instance, or one of a configuration asks for.
///
/// Several tasks may ask in one load.
final class RunRecord: Sendable {
  /// The injector that the closure is handed.
  private let injector: Injector
  private let isConfiguring: Bool

  private struct Answer: Hashable {
    let key: ServiceKey
    let place: Dependency.Place
  }

  private struct State {
    var asked: Set<Dependency> = []
    var answered: Set<Answer> = []
    /// In the order in which they were asked for first.
    var dependencies: [Dependency] = []
  }

  private let state = Guarded(State())

  init(in injector: Injector, isConfiguring: Bool = false) {
    self.injector = injector
    self.isConfiguring = isConfiguring
  }

  /// Notes that an injector is asked, unless that has nothing to do with the one that the closure is handed.
  func note(_ key: ServiceKey, isOptional: Bool, givesContext: Bool, of asked: Injector) {
    guard let place = place(of: asked) else { return }
    let dependency = Dependency(
      key: key, isConfigured: isConfiguring, isOptional: isOptional, givesContext: givesContext, place: place,
      depth: asked.depth(of: key))
    state.withLock { state in
      if state.asked.insert(dependency).inserted { state.dependencies.append(dependency) }
    }
  }

  /// Notes that a request was answered.
  func noteAnswer(to key: ServiceKey, of asked: Injector) {
    guard let place = place(of: asked) else { return }
    state.withLock { _ = $0.answered.insert(Answer(key: key, place: place)) }
  }

  private func place(of asked: Injector) -> Dependency.Place? {
    if asked === injector { return .handed }
    if injector.levels.contains(where: { $0 === asked }) { return .outer(asked.depth) }
    return asked.levels.contains { $0 === injector } ? .scope : nil
  }

  var isEmpty: Bool { state.withLock { $0.dependencies.isEmpty } }

  var dependencies: [Dependency] {
    state.withLock { state in
      state.dependencies.map { dependency in
        var dependency = dependency
        dependency.isAnswered = state.answered.contains(Answer(key: dependency.key, place: dependency.place))
        return dependency
      }
    }
  }
}

/// What a factory and its configuration have asked for, in runs that have succeeded.
///
/// Replaced whole, see `Guarded`.
struct Record: Sendable {
  private(set) var dependencies: [Dependency] = []

  mutating func add(_ run: RunRecord) {
    let known = Set(dependencies)
    dependencies = dependencies.adding(run.dependencies.filter { !known.contains($0) })
  }
}
