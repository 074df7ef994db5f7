/// Choosing in the context that is registered.
///
/// Whatever makes something optional stands in functions of its own: the search for its metadata would slow down those
/// who need none.
extension Selector {
  /// Soundness of the cast: it is one to the same type.
  func context(from injector: Injector) throws(InjectorError) -> Context {
    if Context.self == Injector.self { return unsafe unsafeBitCast(injector, to: Context.self) }
    let thread = try unsafe Resolution.beginRules(of: self, in: injector)
    defer { unsafe Resolution.endRules(thread) }
    if !injector.registrations.isWatched, let entry = try injector.search(Context.self, nil) {
      return try entry.instance(for: injector)
    }
    return try contextStepwise(from: injector)
  }

  @inline(never)
  private func contextStepwise(from injector: Injector) throws(InjectorError) -> Context {
    if let context = try injector.getIfRegistered(Context.self) { return context }
    throw .contextMissing(facts(in: injector), context: typeName(Context.self))
  }

  @inline(never)
  func requestStepwise(in context: Context, for injector: Injector) throws(InjectorError) -> Service {
    if let service = try first(in: context, for: injector) { return service }
    throw noCandidate(in: context, for: injector)
  }
}
