/// What a test makes of a candidate.
package enum CandidateOverride: Sendable {
  case forced
  case disabled
}

/// What a test makes of the candidates of a service; of several that are forced the last.
struct CandidateOverrides: Sendable {
  private var forced: String?
  private var disabled: Set<String> = []

  mutating func add(_ change: CandidateOverride, on id: String) {
    switch change {
    case .forced:
      forced = id
      disabled.remove(id)
    case .disabled:
      if forced == id { forced = nil }
      disabled.insert(id)
    }
  }

  subscript(id: String) -> CandidateOverride? {
    if forced == id { return .forced }
    return disabled.contains(id) || forced == Fallback.id ? .disabled : nil
  }
}

extension Selector {
  /// What a test has found, and what it makes of that.
  struct Original: Sendable {
    let elements: [PluginElement<Service, Context>]
    let fallback: Cell<Service>?
    var overrides = CandidateOverrides()

    func copied(with copy: Cell<Service>?) -> Self {
      Self(elements: elements, fallback: copy ?? fallback.map { Cell(copying: $0) }, overrides: overrides)
    }
  }

  /// See `changing`.
  func changed(candidate id: String, at point: String, to change: CandidateOverride) -> AnyEntry? {
    var original = original ?? Original(elements: elements, fallback: fallback)
    let isThere =
      id == Fallback.id
      ? point == name && original.fallback != nil
      : original.elements.contains { $0.contains(candidate: id, in: point) }
        || point == name && original.elements.flatMap(\.candidates).contains { $0.id == id }
    guard isThere else { return nil }
    original.overrides.add(change, on: id)
    return Selector(judging: original, in: self)
  }

  private convenience init(judging original: Original, in other: Selector) {
    let candidates = original.elements.flatMap(\.candidates)
    let forced = candidates.first { original.overrides[$0.id] == .forced }
    var elements = original.elements.map { $0.judged(by: original.overrides) }
    if let forced {
      let rule = Rule<Context>("forced by the test") { _ in true }
      elements = elements.compactMap { $0.removing(candidate: forced.id)?.notBefore(forced.id) }
      elements.append(.candidate(forced.ruled(by: rule, isForced: true)))
    }
    self.init(
      registered: elements, fallback: original.overrides[Fallback.id] == .disabled ? nil : original.fallback,
      tag: other.declaration.tag, pointLocation: other.pointLocation, reusing: other.cells, judging: original)
  }

  /// See `candidatePaths`.
  var paths: [String] {
    let fallback = fallback.map { _ in "\(Fallback.id) at \(name)" }
    return (original?.elements ?? elements).flatMap { $0.paths(in: name) } + [fallback].compactMap(\.self)
  }
}

extension PluginElement {
  /// Whether a candidate is in a point of that id: this one, or one inside.
  fileprivate func contains(candidate id: String, in point: String) -> Bool {
    guard case .point(let inner) = self else { return false }
    return inner.id == point && candidates.contains { $0.id == id }
      || inner.elements.contains { $0.contains(candidate: id, in: point) }
  }

  /// The element with rules of the test for what is disabled.
  fileprivate func judged(by overrides: CandidateOverrides) -> Self {
    switch self {
    case .candidate(let candidate):
      guard overrides[candidate.id] == .disabled else { return self }
      let rule = Rule<Context>("disabled by the test") { _ in false }
      return .candidate(candidate.ruled(by: rule))
    case .point(var point):
      point.elements = point.elements.map { $0.judged(by: overrides) }
      return .point(point)
    }
  }

  /// The element without what puts a candidate in front of another.
  fileprivate func notBefore(_ id: String) -> Self {
    switch self {
    case .candidate(let candidate): return .candidate(candidate.notBefore(id))
    case .point(var point):
      point.elements = point.elements.map { $0.notBefore(id) }
      return .point(point)
    }
  }

  fileprivate func paths(in point: String) -> [String] {
    switch self {
    case .candidate(let candidate): ["\(candidate.id) at \(point)"]
    case .point(let inner): inner.elements.flatMap { $0.paths(in: inner.id) }
    }
  }
}
