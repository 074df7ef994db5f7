/// The owner of the instances of a point that is used without an injector. Copies of the point share it. An edited
/// point has a home of its own, with the cells of the remaining candidates.
final class PointHome: Sendable {
  /// Makes and closes the instances. It is released with the last point that uses it.
  private let injector: Injector
  /// Whether this is a test's copy of the home of a point that was created outside the test.
  private let isCopy: Bool
  private let state: Guarded<State>

  private struct State {
    /// The cells of the candidates, by the candidates' numbers.
    var cells: [UInt: Cell]
    var candidates: Candidates?
  }

  /// The candidates of a point that is used without an injector.
  final class Candidates: Sendable {
    let order: CandidateOrdering
    let registration: Registration

    init(_ order: CandidateOrdering, _ registration: Registration) {
      (self.order, self.registration) = (order, registration)
    }
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

  /// This home, or its copy in the calling test.
  var active: PointHome { Layers.isolated(self) { PointHome(isCopy: !injector.isPrivate) } ?? self }

  /// The candidates; `nil` before the first request.
  var candidates: Candidates? { state.withLock { $0.candidates } }

  /// Keeps candidates, unless another thread has made them meanwhile.
  func keep(_ new: Candidates) -> Candidates {
    state.withLock { state in
      if let known = state.candidates { return known }
      state.candidates = new
      return new
    }
  }

  func cell(of candidate: AnyCandidate, _ key: Key) -> Cell {
    let registration = candidate.registration(key, depth: 0, at: candidate.location)
    let new = Cell(isCopy ? registration.fresh : registration)
    return state.withLock { state in
      let cell = state.cells[candidate.number] ?? new
      state.cells[candidate.number] = cell
      return cell
    }
  }

  func provide(_ cell: Cell, of point: String) throws -> AnyBox {
    if let box = cell.published.box { return box }
    try injector.check(cell.registration, isLoadable: false, of: (point, cell.registration.location))
    return try injector.provide(cell)
  }
}
