/// What one key of a registry holds, whatever the service.
///
/// Soundness of the unchecked conformance: immutable after `init`.
@usableFromInline
class AnyEntry: @unchecked Sendable {
  @usableFromInline final let type: ObjectIdentifier
  @usableFromInline final let tag: Injector.Tag?
  @usableFromInline final let hash: Int
  final let service: any Any.Type
  final let site: CodeLocation

  init(service: any Any.Type, tag: Injector.Tag?, site: CodeLocation) {
    self.service = service
    self.tag = tag
    self.site = site
    type = ObjectIdentifier(service)
    hash = ServiceTable.hash(type, tag)
  }
}

/// What one key of a registry holds: a registration without a rule, gated candidates, or both.
///
/// Soundness of the unchecked conformance: immutable after `init`.
@usableFromInline
final class Entry<Service: Sendable>: AnyEntry, @unchecked Sendable {
  /// A registration without a rule, if there are no candidates.
  @usableFromInline let sole: Cell<Service>?

  /// Candidates; the registration without a rule, if there is one, is the last of them.
  let selector: AnySelector<Service>?

  init(_ cell: Cell<Service>) {
    sole = cell
    selector = nil
    super.init(service: Service.self, tag: cell.subject.tag, site: cell.subject.site)
  }

  init(_ selector: AnySelector<Service>) {
    sole = nil
    self.selector = selector
    super.init(service: Service.self, tag: selector.subject.tag, site: selector.subject.site)
  }

  /// The registration without a rule.
  var plain: Cell<Service>? { sole ?? selector?.fallback }

  /// The winner; `nil` if no candidate applies.
  @usableFromInline
  func first(for injector: Injector) throws(InjectorError) -> Service? {
    if let sole { return try sole.instance(for: injector) }
    return try selector?.first(for: injector)
  }

  func first<Context: Sendable>(in context: Context, for injector: Injector) throws(InjectorError) -> Service? {
    if let sole { return try sole.instance(for: injector) }
    return try selector?.typed(Context.self, in: injector).first(in: context, for: injector)
  }

  func all(for injector: Injector) throws(InjectorError) -> [Service] {
    if let sole { return [try sole.instance(for: injector)] }
    return try selector?.all(for: injector) ?? []
  }

  func all<Context: Sendable>(in context: Context, for injector: Injector) throws(InjectorError) -> [Service] {
    if let sole { return [try sole.instance(for: injector)] }
    return try selector?.typed(Context.self, in: injector).all(in: context, for: injector) ?? []
  }

  func noCandidate(_ explanation: Explanation, in injector: Injector) -> InjectorError {
    var facts = InjectorError.Facts(service: Service.self, tag: tag, in: injector)
    facts.registeredAt = site
    return .noCandidate(facts, explanation)
  }

  func explain(for injector: Injector) throws(InjectorError) -> Explanation {
    try selector?.explain(for: injector) ?? Explanation(sole: typeName(Service.self), context: "any context")
  }

  func explain<Context: Sendable>(in context: Context, for injector: Injector) throws(InjectorError) -> Explanation {
    try selector?.typed(Context.self, in: injector).explain(in: context)
      ?? Explanation(sole: typeName(Service.self), context: typeName(Context.self))
  }
}

extension Explanation {
  /// The explanation of a service with one implementation, which always applies.
  fileprivate init(sole subject: String, context: String) {
    self.init(subject: subject, context: context, elements: [Element(fallbackWithRank: 1)])
  }
}
