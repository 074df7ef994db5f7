/// The candidates of one service, whatever context chooses among them.
///
/// Soundness of the unchecked conformance: immutable after `init`.
@usableFromInline
class AnySelector<Service: Sendable>: Entry<Service>, @unchecked Sendable {
  /// Cells by the ids of their candidates, in declared order.
  typealias Cells = [String: [Cell<Service>]]

  @usableFromInline let contextType: any Any.Type

  /// The registration without a rule: the last candidate, whatever the priority of the others.
  let fallback: Cell<Service>?

  /// Whether all candidates apply in every context, and need none.
  var isContextFree: Bool { false }

  /// Whether a context need not be of the type that the rules look at, because no rule does.
  @usableFromInline
  final func ignores<Context: Sendable>(_ context: Context.Type) -> Bool {
    matching(context) == nil && isContextFree
  }

  /// Where a whole point was registered.
  let pointLocation: CodeLocation?

  init(
    contextType: any Any.Type, fallback: Cell<Service>?, pointLocation: CodeLocation?, declaration: Declaration,
    isClosable: Bool,
    isCopy: Bool = false
  ) {
    self.contextType = contextType
    self.fallback = fallback
    self.pointLocation = pointLocation
    unsafe super.init(
      direct: nil, declaration: declaration, isClosable: isClosable, isCopy: isCopy, isSelector: true)
  }

  var isEmpty: Bool { true }

  /// Where a candidate was declared.
  func location(of candidate: String) -> CodeLocation? { nil }

  func replacingFallback(_ cell: Cell<Service>?) -> AnySelector { self }

  /// The selector without a candidate; `nil` if it has none of that id.
  func removing(_ id: String) -> AnySelector? { nil }

  /// The selector with one more candidate, which applies in every context.
  func contributing(
    _ candidate: Candidate<Service, Injector>, _ cell: Cell<Service>, allowRewrite: Bool
  ) throws(Refusal) -> Entry<Service> { self }

  /// The selector for another type of context; `nil` if its candidates depend on the one that it has.
  func rebased<Context: Sendable>(on context: Context.Type) -> Selector<Service, Context>? { nil }

  /// This selector, if its candidates are chosen by that type of context.
  ///
  /// Soundness of the cast: `Selector` is the only subclass, and its only initializer sets `contextType` to its
  /// `Context`; a type has one metadata record, which its `ObjectIdentifier` is the address of.
  @inlinable
  final func matching<Context>(_ context: Context.Type) -> Selector<Service, Context>? {
    guard ObjectIdentifier(contextType) == ObjectIdentifier(context) else { return nil }
    return unsafe unsafeDowncast(self, to: Selector<Service, Context>.self)
  }

  final func typed<Context: Sendable>(_ context: Context.Type) throws(Refusal) -> Selector<Service, Context> {
    if let selector = matching(context) ?? rebased(on: context) { return selector }
    throw .otherContext(expected: typeName(contextType), found: typeName(context), declaration.location)
  }

  @inlinable
  final func typed<Context: Sendable>(
    _ context: Context.Type, in injector: Injector
  ) throws(InjectorError) -> Selector<Service, Context> {
    if let selector = matching(context) { return selector }
    throw otherContext(context, in: injector)
  }

  @usableFromInline
  final func otherContext(_ found: any Any.Type, in injector: Injector) -> InjectorError {
    .contextMismatch(facts(in: injector), expected: typeName(contextType), found: typeName(found))
  }

  final func facts(in injector: Injector, candidate: String? = nil) -> InjectorError.Facts {
    InjectorError.Facts(about: declaration.named(candidate: candidate), in: injector)
  }
}
