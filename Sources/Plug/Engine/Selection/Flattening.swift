/// Turns nested elements into one list of candidates and one of gates.
struct Flattening<Service: Sendable, Context: Sendable> {
  let tag: Injector.Tag?
  var existing: AnySelector<Service>.Cells
  var candidates: [Selector<Service, Context>.CompiledCandidate] = []
  private var gateCount = 0

  init(tag: Injector.Tag?, existing: AnySelector<Service>.Cells) {
    self.tag = tag
    self.existing = existing
  }

  mutating func add(
    _ elements: [PluginElement<Service, Context>], in id: String, gatedBy rule: Rule<Context>,
    under parent: Gate<Context>?
  ) {
    var gate = parent
    if !rule.isAlways {
      gate = Gate(rule, inside: parent, number: gateCount)
      gateCount += 1
    }
    for element in elements {
      switch element {
      case .point(let point): add(point.elements, in: point.id, gatedBy: point.rule, under: gate)
      case .candidate(let candidate):
        let cell = takeExisting(candidate.id) ?? candidate.makeCell(tag: tag)
        candidates.append(
          Selector.CompiledCandidate(candidate, in: id, ordinal: candidates.count, gate: gate, cell: cell))
      }
    }
  }

  /// The next of the cells that are there for an id; in a point by itself, candidates may share one.
  private mutating func takeExisting(_ id: String) -> Cell<Service>? {
    guard let cells = existing[id], let first = cells.first else { return nil }
    existing[id] = Array(cells.dropFirst())
    return first
  }
}

extension Candidate {
  func makeCell(tag: Injector.Tag?) -> Cell<Service> {
    injection.makeCell(Declaration(Service.self, tag: tag, candidate: id, location: location))
  }
}
