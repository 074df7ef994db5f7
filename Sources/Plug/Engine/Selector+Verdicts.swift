/// What a test makes of a candidate.
package enum Verdict: Sendable {
  case forced
  case disabled

  fileprivate func rule<Context>() -> Rule<Context> {
    switch self {
    case .forced: Rule("forced by the test") { _ in true }
    case .disabled: Rule("disabled by the test") { _ in false }
    }
  }
}

extension Selector {
  /// See `changing`.
  func changed(candidate id: String, at point: String, to verdict: Verdict) -> AnyEntry? {
    if id == Fallback.id, let fallback, point == name {
      return verdict == .forced ? fallback : replacingFallback(nil)
    }
    let inside = point == name ? elements : elements.compactMap { $0.point(point) }.map { .point($0) }
    guard let candidate = inside.lazy.flatMap(\.candidates).first(where: { $0.id == id }) else { return nil }
    let changed: [PluginElement<Service, Context>]
    switch verdict {
    case .forced:
      let others = elements.compactMap { $0.removing(candidate: id) }
      changed = others + [.candidate(candidate.ruled(by: verdict.rule(), priority: .max))]
    case .disabled:
      changed = elements.map { $0.ruling(candidate: id, by: verdict.rule()) }
    }
    return Selector(
      registered: changed, fallback: fallback, tag: subject.tag, pointSite: pointSite, reusing: cells)
  }

  /// See `candidatePaths`.
  var paths: [String] {
    let fallback = fallback.map { _ in "\(Fallback.id) at \(name)" }
    return elements.flatMap { $0.paths(in: name) } + [fallback].compactMap(\.self)
  }
}

extension PluginElement {
  /// The point of an id: this one, or one inside.
  fileprivate func point(_ id: String) -> PluginPoint<Service, Context>? {
    guard case .point(let point) = self else { return nil }
    return point.id == id ? point : point.elements.lazy.compactMap { $0.point(id) }.first
  }

  /// The element with another rule for a candidate.
  fileprivate func ruling(candidate id: String, by rule: Rule<Context>) -> Self {
    switch self {
    case .candidate(let candidate):
      return candidate.id == id ? .candidate(candidate.ruled(by: rule, priority: candidate.priority)) : self
    case .point(var point):
      point.elements = point.elements.map { $0.ruling(candidate: id, by: rule) }
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
