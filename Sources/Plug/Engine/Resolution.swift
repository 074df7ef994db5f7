/// Making new instances with code that is specialized in the user's module, as far as nothing has to be remembered of them.
///
/// Soundness of the unmanaged references: whoever calls keeps the entry alive, and a thread its context. These are functions
/// of an enum because a method of a generic class looks up the class's metadata where it is not specialized.
@usableFromInline
enum Resolution {
  /// An instance, where none exists.
  @inlinable
  static func make<Service: Sendable>(
    _ entry: Unmanaged<Entry<Service>>, for injector: Injector
  ) throws(InjectorError) -> Service {
    guard unsafe entry._withUnsafeGuaranteedRef({ $0.direct != nil }) else {
      return try unsafe entry.takeUnretainedValue().request(for: injector)
    }
    let context = unsafe ThreadSlot.context
    if unsafe isNested(context) { return try unsafe makeOneLevelDeeper(entry, context, for: injector) }
    let service: Service
    do throws(InjectorError) {
      service = try unsafe makeOneLevelDeeper(entry, context, for: injector)
    } catch {
      _ = unsafe settle(context)
      throw error
    }
    if let failure = unsafe settle(context) { throw failure }
    return service
  }

  @inlinable
  static func makeOneLevelDeeper<Service: Sendable>(
    _ entry: Unmanaged<Entry<Service>>, _ context: Unmanaged<ThreadContext>, for injector: Injector
  ) throws(InjectorError) -> Service {
    let step: Unmanaged<Step> = unsafe Unmanaged.fromOpaque(entry.toOpaque())
    try unsafe begin(step, context, in: injector)
    defer { unsafe end(context) }
    do {
      return try unsafe entry._withUnsafeGuaranteedRef { try unsafe $0.direct.unsafelyUnwrapped(injector) }
    } catch {
      throw unsafe failure(error, of: step, in: injector)
    }
  }

  @usableFromInline
  static func isNested(_ context: Unmanaged<ThreadContext>) -> Bool {
    unsafe context._withUnsafeGuaranteedRef { !$0.isIdle }
  }

  @usableFromInline
  static func begin(
    _ step: Unmanaged<Step>, _ context: Unmanaged<ThreadContext>, in injector: Injector
  ) throws(InjectorError) {
    if let refusal = unsafe context._withUnsafeGuaranteedRef({ unsafe $0.begin(step, in: injector) }) { throw refusal }
  }

  @usableFromInline
  static func end(_ context: Unmanaged<ThreadContext>) {
    unsafe context._withUnsafeGuaranteedRef { $0.end() }
  }

  @usableFromInline
  static func settle(_ context: Unmanaged<ThreadContext>) -> InjectorError? {
    unsafe context._withUnsafeGuaranteedRef { $0.settle() }
  }

  @usableFromInline
  static func failure(_ error: any Error, of step: Unmanaged<Step>, in injector: Injector) -> InjectorError {
    unsafe InjectorError(reporting: error, about: step.takeUnretainedValue().subject, in: injector)
  }

  /// Begins to run the rules of a selector, as one level more, so that one that asks for its service is found out.
  @usableFromInline
  static func beginRules(of step: Step, in injector: Injector) throws(InjectorError) -> Unmanaged<ThreadContext> {
    let context = unsafe ThreadSlot.context
    let refusal = unsafe context._withUnsafeGuaranteedRef { context in
      unsafe context.beginRules(of: Unmanaged.passUnretained(step), in: injector)
    }
    if let refusal { throw refusal }
    return unsafe context
  }

  @usableFromInline
  static func endRules(_ context: Unmanaged<ThreadContext>) {
    unsafe context._withUnsafeGuaranteedRef { $0.endRules() }
  }
}
