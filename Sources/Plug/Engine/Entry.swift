/// What one key of a registry holds, whatever the service.
///
/// Soundness of the unchecked conformance: immutable after `init`.
class AnyEntry: @unchecked Sendable {
  let service: any Any.Type
  let tag: Injector.Tag?
  let site: CodeLocation

  init(service: any Any.Type, tag: Injector.Tag?, site: CodeLocation) {
    self.service = service
    self.tag = tag
    self.site = site
  }
}

/// What one key of a registry holds: a registration without a rule, gated candidates, or both.
///
/// Soundness of the unchecked conformance: immutable after `init`.
final class Entry<Service: Sendable>: AnyEntry, @unchecked Sendable {
  enum Content {
    /// A registration without a rule, by itself.
    case sole(Cell<Service>)
    /// Candidates; the registration without a rule, if there is one, is the last of them.
    case candidates(AnySelector<Service>)
  }

  let content: Content

  init(_ cell: Cell<Service>) {
    content = .sole(cell)
    super.init(service: Service.self, tag: cell.subject.tag, site: cell.subject.site)
  }

  init(_ selector: AnySelector<Service>) {
    content = .candidates(selector)
    super.init(service: Service.self, tag: selector.subject.tag, site: selector.subject.site)
  }

  /// The registration without a rule.
  var plain: Cell<Service>? {
    switch content {
    case .sole(let cell): cell
    case .candidates(let selector): selector.fallback
    }
  }

  /// The winner; `nil` if no candidate applies.
  func first(for injector: Injector) throws(InjectorError) -> Service? {
    switch content {
    case .sole(let cell): try cell.instance(for: injector)
    case .candidates(let selector): try selector.first(for: injector)
    }
  }

  func first<Context: Sendable>(in context: Context, for injector: Injector) throws(InjectorError) -> Service? {
    switch content {
    case .sole(let cell): try cell.instance(for: injector)
    case .candidates(let selector): try selector.typed(Context.self, in: injector).first(in: context, for: injector)
    }
  }

  func all(for injector: Injector) throws(InjectorError) -> [Service] {
    switch content {
    case .sole(let cell): [try cell.instance(for: injector)]
    case .candidates(let selector): try selector.all(for: injector)
    }
  }

  func all<Context: Sendable>(in context: Context, for injector: Injector) throws(InjectorError) -> [Service] {
    switch content {
    case .sole(let cell): [try cell.instance(for: injector)]
    case .candidates(let selector):
      try selector.typed(Context.self, in: injector).all(in: context, for: injector)
    }
  }

  func noCandidate(_ explanation: Explanation, in injector: Injector) -> InjectorError {
    var facts = InjectorError.Facts(service: Service.self, tag: tag, in: injector)
    facts.registeredAt = site
    return .noCandidate(facts, explanation)
  }

  func explain(for injector: Injector) throws(InjectorError) -> Explanation {
    switch content {
    case .sole: Explanation(sole: typeName(Service.self), context: "any context")
    case .candidates(let selector): try selector.explain(for: injector)
    }
  }

  func explain<Context: Sendable>(in context: Context, for injector: Injector) throws(InjectorError) -> Explanation {
    switch content {
    case .sole: Explanation(sole: typeName(Service.self), context: typeName(Context.self))
    case .candidates(let selector): try selector.typed(Context.self, in: injector).explain(in: context)
    }
  }
}

extension Explanation {
  /// The explanation of a service with one implementation, which always applies.
  fileprivate init(sole subject: String, context: String) {
    self.init(subject: subject, context: context, elements: [Element(fallbackWithRank: 1)])
  }
}
