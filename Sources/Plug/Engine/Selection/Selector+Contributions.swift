import Synchronization

extension Selector {
  /// See `contributing`.
  func added(_ candidate: Candidate<Service, Injector>, allowRewrite: Bool) throws(Refusal) -> Entry<Service> {
    try Replacement.adding(
      candidate.contributed(to: Context.self), to: self, tag: declaration.tag, allowRewrite: allowRewrite)
  }

  /// See `rebased`.
  func free<Other: Sendable>(of context: Other.Type) -> Selector<Service, Other>? {
    guard Context.self == Injector.self, pointLocation == nil else { return nil }
    var rebased: [PluginElement<Service, Other>] = []
    for element in elements {
      guard case .candidate(let candidate) = element, candidate.isContribution else { return nil }
      rebased.append(.candidate(candidate.contributed(to: context)))
    }
    let selector = Selector<Service, Other>(
      registered: rebased, fallback: fallback, tag: declaration.tag, pointLocation: nil, reusing: cells)
    selector.settle(at: level.load(ordering: .relaxed))
    return selector
  }
}
