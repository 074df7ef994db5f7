/// The methods by which a layer sees and changes the requests of an injector and of the scopes in it. Each has a
/// default that does nothing, and an injector without hooks pays nothing.
package protocol Hooks: Attachment {
  /// Whether the hooks need to know of no requests, except of choices. Other requests are then as fast as without
  /// hooks.
  var seesOnlyChoices: Bool { get }

  /// The verdicts on candidates, by position. They override the rules, and apply to the whole choice.
  func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict]

  /// The notes on candidates in an explanation, by position.
  func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes]

  /// The dependencies of a registration; `nil` if the hook knows no more of them than the registration.
  func knowledge(of registration: Registration) -> Knowledge?

  /// Receives an event. No lock is held.
  func note(_ event: KernelEvent, in injector: Injector)

  /// Returns an observer of the instances that an injector closes. It may run after the injector has been released.
  func closing(in injector: Injector) -> ClosingObserver?
}

package typealias ClosingObserver = @Sendable (Registration, [InjectorError]) -> Void

/// The decision of a hook on a candidate.
package enum Verdict: Sendable, Equatable {
  /// The candidate comes first. Its rule is not evaluated.
  case forced
  /// The candidate does not apply. Its rule is not evaluated.
  case refused(Explanation.Verdict)
}

/// The notes of a layer on a candidate: as strings, and as values by their names.
package typealias Notes = (texts: [String], values: [String: RuleTrace.Value])

package enum KernelEvent {
  /// A request has ended.
  case answered(Request, InjectorError?)
  /// A candidate was chosen, and is about to be made.
  case chosen(Choice)
  /// The candidate could not be made, and the next one replaces it.
  case passed(Choice, InjectorError)
  /// The candidate was made, and is about to be returned.
  case given(Choice)
  /// Something other than a candidate was decided for a context, such as the variant of a flag. The type identifies the
  /// decision, as a service identifies a choice.
  case decided(any Any.Type, name: String, outcome: String, isDefault: Bool, ContextReference)
  /// A factory, with the decorators of its instance, or a configuration begins to run.
  case running(Registration, isConfiguring: Bool)
  /// The factory or configuration has returned, after the duration, or has thrown.
  case ran(Registration, isConfiguring: Bool, Duration?)
}

/// A request to an injector.
package struct Request: Sendable {
  package let key: Key
  /// Whether the service may be absent.
  package var isOptional = false
  /// Whether the caller passed the context of the choice.
  package var givesContext = false

  init(_ key: Key, isOptional: Bool = false, givesContext: Bool = false) {
    (self.key, self.isOptional, self.givesContext) = (key, isOptional, givesContext)
  }
}

extension Hooks {
  package var seesOnlyChoices: Bool { false }
  package func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict] { [:] }
  package func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes] { [:] }
  package func knowledge(of registration: Registration) -> Knowledge? { nil }
  package func note(_ event: KernelEvent, in injector: Injector) {}
  package func closing(in injector: Injector) -> ClosingObserver? { nil }
}
