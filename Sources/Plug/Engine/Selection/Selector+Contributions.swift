extension Selector {
  /// See `contributing`.
  func added(
    _ candidate: Candidate<Service, Injector>, _ cell: Cell<Service>, allowRewrite: Bool
  ) throws(Refusal) -> Entry<Service> {
    try Replacement.adding(
      candidate.contributed(to: Context.self), cell, to: self, tag: declaration.tag, allowRewrite: allowRewrite)
  }

  /// See `rebased`.
  func free<Other: Sendable>(of context: Other.Type) -> Selector<Service, Other>? {
    guard Context.self == Injector.self, pointLocation == nil, let free = contributions(elements, to: context) else {
      return nil
    }
    return Selector<Service, Other>(
      registered: free, fallback: fallback, tag: declaration.tag, pointLocation: nil, reusing: cells)
  }

  /// See `removing`. Where only contributions are left, no context chooses any more.
  func without(_ id: String) -> AnySelector<Service> {
    let remaining = elements.compactMap { $0.removing(candidate: id) }
    if pointLocation == nil, !remaining.isEmpty, let free = contributions(remaining, to: Injector.self) {
      return Selector<Service, Injector>(
        registered: free, fallback: fallback, tag: declaration.tag, pointLocation: nil, reusing: cells)
    }
    return Selector(
      registered: remaining, fallback: fallback, tag: declaration.tag, pointLocation: pointLocation, reusing: cells)
  }

  /// Candidates that apply in every context, as those of another type of context; `nil` if one of them does not.
  func contributions<Other>(
    _ elements: [PluginElement<Service, Context>], to context: Other.Type
  ) -> [PluginElement<Service, Other>]? {
    var contributions: [PluginElement<Service, Other>] = []
    for element in elements {
      guard case .candidate(let candidate) = element, candidate.isContribution else { return nil }
      contributions.append(.candidate(candidate.contributed(to: context)))
    }
    return contributions
  }
}
