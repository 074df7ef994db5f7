extension PluginPoint {
  /// The instances of all candidates that apply, in order.
  ///
  /// ```swift
  /// for provider in search.plugins(in: shopper) { show(provider.results) }
  /// ```
  ///
  /// It traps with a diagnostic if an instance cannot be made; ``getAll(in:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - context: The value that the rules look at.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func plugins(in context: Context, fileID: StaticString = #fileID, line: UInt = #line) -> [Service] {
    orTrap("plugins(in:) of the point \"\(id)\" failed.", fileID, line) { () throws(InjectorError) in
      try getAll(in: context)
    }
  }

  /// The instance of the first candidate that applies; `nil` if none does.
  ///
  /// It traps with a diagnostic if the instance cannot be made; ``get(in:)`` throws the error instead.
  ///
  /// - Parameters:
  ///   - context: The value that the rules look at.
  ///   - fileID: The file of the call, which a trap reports.
  ///   - line: The line of the call, which a trap reports.
  /// - Complexity: O(*n*) rules for *n* candidates, and fewer if an early candidate applies.
  public func first(in context: Context, fileID: StaticString = #fileID, line: UInt = #line) -> Service? {
    // Not with `orTrap`, whose generic closure looks up the metadata of this type in each call.
    do throws(InjectorError) {
      return try firstOrThrow(in: context)
    } catch {
      trap("first(in:) of the point \"\(id)\" failed.", error, fileID, line)
    }
  }

  /// Gets the instance of the first candidate that applies.
  ///
  /// - Parameter context: The value that the rules look at.
  /// - Returns: The instance. The other candidates' instances are not made.
  /// - Throws: ``InjectorError/noCandidate(_:_:)`` with an ``Explanation`` if none applies, or the error that prevented
  ///   the instance from being made.
  /// - Complexity: O(*n*) rules for *n* candidates, and fewer if an early candidate applies.
  public func get(in context: Context) throws(InjectorError) -> Service {
    if let service = try firstOrThrow(in: context) { return service }
    throw .noCandidate(facts(at: location), explain(in: context))
  }

  /// Gets the instances of all candidates that apply, in order.
  ///
  /// - Parameter context: The value that the rules look at.
  /// - Returns: The instances; an empty array if no candidate applies.
  /// - Throws: The error that prevented an instance from being made.
  /// - Complexity: O(*n*) rules for *n* candidates.
  public func getAll(in context: Context) throws(InjectorError) -> [Service] {
    let home = home, candidates = home.candidates(of: self)
    return try ContextReference.with(context) { (context) throws(InjectorError) in
      var choice = candidates.choice(in: context, home)
      return try choice.makeAll()
    }.map { $0.box.open() }
  }

  /// Explains which candidates apply, and why.
  ///
  /// Every rule is evaluated, and no instance is made.
  ///
  /// - Parameter context: The value that the rules look at.
  /// - Returns: A tree that prints as text.
  public func explain(in context: Context) -> Explanation {
    home.candidates(of: self).choice(in: ContextReference(holding: context), home).explanation()
  }

  private func firstOrThrow(in context: Context) throws(InjectorError) -> Service? {
    // Not in the closure, which would have to look up the metadata of this type.
    let home = home, candidates = home.candidates(of: self)
    return try ContextReference.with(context) { (context) throws(InjectorError) in
      var choice = candidates.choice(in: context, home)
      return try choice.makeFirst()
    }?.open(as: Service.self)
  }
}

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

    fileprivate init(_ order: CandidateOrdering, _ registration: Registration) {
      (self.order, self.registration) = (order, registration)
    }

    func choice(in context: ContextReference, _ home: PointHome) -> Choice {
      Choice(order, registration, in: context, for: .asked, home: home)
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

  /// The candidates and the registration of a point that is used without an injector.
  func candidates<Service, Context>(of point: PluginPoint<Service, Context>) -> Candidates {
    let home = Layers.isolated(self) { PointHome(isCopy: !injector.isPrivate) } ?? self
    if let known = home.state.withLock({ $0.candidates }) { return known }
    let key = Key(Service.self)
    var elements: [Element] = []
    let gate = point.rule.isAlways ? nil : Gate(point.id, point.rule.expression, addedTo: &elements)
    for element in point.standaloneElements {
      element.add(to: &elements, in: gate, of: point.id) { home.cell(of: $0, key) }
    }
    let order = CandidateOrdering(
      elements, nil, name: point.id, contextType: Context.self, isContextFree: false, isStandalone: true)
    let registration = Registration(
      key, .factory, AnyRecipe.unused, isChoice: true, depth: 0, location: point.location)
    let new = Candidates(order, registration)
    return home.state.withLock { state in
      if let known = state.candidates { return known }
      state.candidates = new
      return new
    }
  }

  private func cell(of candidate: AnyCandidate, _ key: Key) -> Cell {
    let registration = candidate.registration(key, depth: 0, at: candidate.location)
    let new = Cell(isCopy ? registration.fresh : registration)
    return state.withLock { state in
      let cell = state.cells[candidate.number] ?? new
      state.cells[candidate.number] = cell
      return cell
    }
  }

  func provide(_ cell: Cell, of point: String) throws(InjectorError) -> AnyBox {
    if let box = cell.published.box { return box }
    try injector.check(cell.registration, isLoadable: false, of: (point, cell.registration.location))
    return try injector.provide(cell)
  }
}
