extension Entry {
  /// The candidates, if there are any; the registration without a rule, if there is one, is the last of them.
  ///
  /// Soundness of the cast: an entry is a cell or a selector, and says which.
  @inlinable
  var selector: AnySelector<Service>? { isSelector ? unsafe unsafeDowncast(self, to: AnySelector<Service>.self) : nil }

  /// The registration without a rule.
  ///
  /// Soundness of the cast: as above.
  var plain: Cell<Service>? { isSelector ? selector?.fallback : unsafe unsafeDowncast(self, to: Cell<Service>.self) }

  @inlinable
  func first<Context: Sendable>(
    in context: Context, for injector: Injector
  ) throws(InjectorError) -> Service? {
    guard let selector else { return try instance(for: injector) }
    if selector.ignores(Context.self) { return try selector.first(for: injector) }
    return try selector.typed(Context.self, in: injector).first(in: context, for: injector)
  }

  @inlinable
  func all<Context: Sendable>(
    in context: Context, for injector: Injector
  ) throws(InjectorError) -> [Service] {
    guard let selector else { return [try instance(for: injector)] }
    if selector.ignores(Context.self) { return try selector.all(for: injector) }
    return try selector.typed(Context.self, in: injector).all(in: context, for: injector)
  }

  func identified<Context: Sendable>(
    in context: Context, for injector: Injector
  ) throws(InjectorError) -> [(id: String, service: Service)] {
    guard let selector else { return try identified(for: injector) }
    if selector.ignores(Context.self) { return try selector.identified(for: injector) }
    return try selector.typed(Context.self, in: injector).identified(in: context, for: injector)
  }

  @usableFromInline
  func explain<Context: Sendable>(
    in context: Context, for injector: Injector
  ) throws(InjectorError) -> Explanation {
    guard let selector else { return Explanation(sole: self, context: typeName(Context.self)) }
    if selector.ignores(Context.self) { return try selector.explain(for: injector) }
    return try selector.typed(Context.self, in: injector).explain(in: context, for: injector)
  }

  /// Why no candidate has been chosen.
  @usableFromInline
  func noCandidate<Context: Sendable>(in context: Context, for injector: Injector) -> InjectorError {
    let explanation =
      selector?.matching(Context.self)?.failure(in: context, for: injector)
      ?? Explanation(sole: self, context: typeName(Context.self))
    return .noCandidate(InjectorError.Facts(about: declaration, in: injector), explanation)
  }
}

extension Explanation {
  /// The explanation of a service with one implementation, which always applies.
  init<Service>(sole entry: Entry<Service>, context: String) {
    self.init(
      subject: typeName(Service.self), context: context,
      elements: [Element(fallbackWithRank: 1, module: entry.declaration.module.name)],
      decorators: entry.parts.first?.decorators ?? [])
  }
}
