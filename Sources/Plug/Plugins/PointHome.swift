/// What keeps the instances of a point that is used by itself. Copies of the point share it; a point that is edited has
/// a home of its own, with the cells of the candidates that stay.
final class PointHome: Sendable {
  /// Makes and closes the instances. It goes with the last point that has them.
  private let injector: Injector
  /// Whether it stands for the home of a point that was made outside of the test.
  private let isCopy: Bool
  private let state: Guarded<State>

  private struct State {
    var cells: [ObjectIdentifier: (identity: CandidateIdentity, cell: Cell)]
    var standalone: (selector: Selector, registration: Registration)?
  }

  init(isCopy: Bool = false) {
    self.isCopy = isCopy
    injector = Injector(named: nil, allowRewrite: false, sandbox: Layers.sandbox, isHome: true)
    state = Guarded(State(cells: [:]))
  }

  init(sharing other: PointHome) {
    injector = other.injector
    isCopy = other.isCopy
    state = Guarded(State(cells: other.state.withLock { $0.cells }))
  }

  /// What chooses among the candidates of a point.
  func standalone<Service, Context>(
    of point: PluginPoint<Service, Context>
  ) -> (selector: Selector, registration: Registration) {
    let home = Layers.isolated(self) { PointHome(isCopy: !injector.isPrivate) } ?? self
    if let known = home.state.withLock({ $0.standalone }) { return known }
    var elements: [Element] = []
    let gate = point.rule.isAlways ? nil : Gate(point.id, point.rule.expression, addedTo: &elements)
    for element in point.standaloneElements {
      element.add(to: &elements, in: gate) { home.cell(of: $0, Key(Service.self)) }
    }
    let selector = Selector(name: point.id, for: Context.self, elements, isStandalone: true)
    let registration = Registration(
      Key(Service.self), .factory, AnyRecipe.unused, isChoice: true, depth: 0, location: point.location)
    return home.state.withLock { state in
      if let known = state.standalone { return known }
      state.standalone = (selector, registration)
      return (selector, registration)
    }
  }

  private func cell(of candidate: AnyCandidate, _ key: Key) -> Cell {
    let known = ObjectIdentifier(candidate.identity)
    if let cell = state.withLock({ $0.cells[known]?.cell }) { return cell }
    let registration = candidate.registration(key, depth: 0)
    let cell = Cell(isCopy ? registration.fresh : registration)
    return state.withLock { state in
      if let first = state.cells[known] { return first.cell }
      state.cells[known] = (candidate.identity, cell)
      return cell
    }
  }

  func provide(_ cell: Cell, of point: String) throws(InjectorError) -> AnyBox {
    if let box = cell.published.box { return box }
    try injector.check(cell.registration, isLoadable: false, of: (point, cell.registration.location))
    return try injector.provide(cell)
  }
}

extension Injector {
  /// An injector that keeps what no injector has, for as long as that is used.
  ///
  /// - Parameter depth: How long that may live: 0 for as long as the program, as what an injector keeps.
  package convenience init(homeAt depth: Int32) {
    self.init(named: nil, allowRewrite: false, sandbox: 0, isHome: true, depth: depth)
  }

  /// The injector that rules of a point are given which is used by itself.
  static var asked: Injector { Injector.default.redirected() ?? .default }
}
