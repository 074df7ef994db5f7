import Synchronization

/// The owner of the instances of a point that is used without an injector. Copies of the point share it. An edited
/// point has a home of its own, with the cells of the remaining candidates.
final class PointHome: Sendable {
  /// Makes and closes the instances. It is released with the last point that uses it.
  let injector: Injector
  /// The cells that candidates had before the point was edited, by the candidates' numbers.
  let cells: [UInt: Cell]
  /// Whether this is a test's copy of the home of a point that was created outside the test.
  private let isCopy: Bool
  private let known = AtomicLazyReference<StandaloneCandidates>()

  init(isCopy: Bool = false) {
    (self.isCopy, cells) = (isCopy, [:])
    injector = Injector(named: nil, allowRewrite: false, sandbox: Layers.sandbox, isHome: true)
  }

  init(sharing other: PointHome) {
    (injector, isCopy) = (other.injector, other.isCopy)
    cells = other.candidates?.cells ?? other.cells
  }

  /// This home, or its copy in the calling test.
  var active: PointHome { Layers.isolated(self) { PointHome(isCopy: !injector.isPrivate) } ?? self }

  /// The candidates; `nil` before the first request.
  var candidates: StandaloneCandidates? { known.load() }

  /// Keeps candidates, unless another thread has made them meanwhile.
  func keep(_ new: StandaloneCandidates) -> StandaloneCandidates { known.storeIfNil(new) }

  func newCell(of candidate: AnyCandidate, _ key: Key) -> Cell {
    let registration = candidate.registration(key, depth: 0, at: candidate.location)
    return Cell(isCopy ? registration.fresh : registration)
  }
}

/// The candidates of a point that is used without an injector.
final class StandaloneCandidates: Sendable {
  /// The cells of the candidates, by the candidates' numbers.
  let cells: [UInt: Cell]
  private let order: CandidateOrdering
  private let registration: Registration
  private let injector: Injector

  init(_ order: CandidateOrdering, _ registration: Registration, _ cells: [UInt: Cell], of injector: Injector) {
    (self.order, self.registration, self.cells, self.injector) = (order, registration, cells, injector)
  }

  func choice(in context: ContextReference) -> Choice {
    Choice(order, registration, in: context, for: .asked, standalone: self)
  }

  func provide(_ cell: Cell) throws -> AnyBox {
    if let box = cell.published.box { return box }
    try injector.check(cell.registration, isLoadable: false, of: (order.name, cell.registration.location))
    return try injector.provide(cell)
  }
}
