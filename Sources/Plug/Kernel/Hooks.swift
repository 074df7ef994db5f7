/// What a layer sees and changes of the requests of an injector and of the scopes in it. Each method has a default that
/// does nothing, and an injector without hooks pays nothing.
package protocol Hooks: AnyObject, Sendable {
  /// A request has found a cell, or nothing, and may be given another. The hooks of outer injectors come first. For
  /// decorators of scopes, recording, tracing, and copies that are made when they are reached.
  ///
  /// - Parameters:
  ///   - injector: The injector that was asked.
  ///   - level: The injector that has the hook.
  func answer(_ cell: Cell?, for key: Key, in injector: Injector, at level: Injector) throws(InjectorError) -> Cell?

  /// The verdicts on candidates, by position. They override the rules, and count for the whole choice.
  func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict]

  /// The notes on candidates in an explanation, by position.
  func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes]

  /// The dependencies of a registration; `nil` if the hook knows no more of them than the registration.
  func knowledge(of registration: Registration) -> Knowledge?

  /// Something happened. No lock is held.
  func note(_ event: KernelEvent, in injector: Injector)

  /// Receives each instance that an injector closes. The injector may be released before that.
  func closing(in injector: Injector) -> ClosingObserver?
}

package typealias ClosingObserver = @Sendable (Registration, [InjectorError]) -> Void

/// What decides about a candidate.
package enum Verdict: Sendable, Equatable {
  /// It comes first. Its rule is not evaluated.
  case forced
  /// It does not apply. Its rule is not evaluated.
  case refused(Explanation.Verdict)
}

/// What a layer says of a candidate: in words, and as values by their names.
package struct Notes: Sendable {
  package var texts: [String]
  package var values: [String: RuleTrace.Value]

  package init(texts: [String], values: [String: RuleTrace.Value]) { (self.texts, self.values) = (texts, values) }
}

package enum KernelEvent {
  /// A request has ended.
  case answered(Request, InjectorError?)
  /// A candidate was chosen, and is about to be made.
  case chosen(Choice)
  /// It could not be made, and the next one takes its place.
  case passed(Choice, InjectorError)
  /// It was made, and is about to be given.
  case given(Choice)
  /// Something other than a candidate was chosen, and is about to be returned.
  case decided(Decided)
  /// A factory, with the decorators of its instance, or a configuration begins to run.
  case running(Registration, isConfiguring: Bool)
  /// It has returned, after the duration, or thrown.
  case ran(Registration, isConfiguring: Bool, Duration?)
}

/// What an injector was asked for.
package struct Request: Sendable {
  package let key: Key
  /// Whether it may be absent.
  package var isOptional = false
  /// Whether the context of the choice was given.
  package var givesContext = false

  package init(_ key: Key, isOptional: Bool = false, givesContext: Bool = false) {
    (self.key, self.isOptional, self.givesContext) = (key, isOptional, givesContext)
  }
}

extension Hooks {
  package func answer(
    _ cell: Cell?, for key: Key, in injector: Injector, at level: Injector
  ) throws(InjectorError) -> Cell? { cell }
  package func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict] { [:] }
  package func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes] { [:] }
  package func knowledge(of registration: Registration) -> Knowledge? { nil }
  package func note(_ event: KernelEvent, in injector: Injector) {}
  package func closing(in injector: Injector) -> ClosingObserver? { nil }
}

/// Which injectors answer in place of others, for isolated tests and previews.
package protocol Redirection: AnyObject, Sendable {
  /// Tells the injectors that were made under it from others.
  var number: UInt { get }

  /// Whether it lasts as long as the instances that are made under it.
  var isHeld: Bool { get }

  /// Whether it has a number, or began inside the redirection with that number.
  func isInside(_ number: UInt) -> Bool

  func copy(of injector: Injector) -> Injector

  /// What stands for an object that keeps instances itself.
  func isolated<Object: AnyObject & Sendable>(_ object: Object, _ make: () -> Object) -> Object

  /// What sees the choices that are made under it.
  var watch: (any Hooks)? { get }

  func find(_ environment: Environment) -> Injector
  func claim(_ environment: Environment, for injector: Injector)
}

/// What a copy of an injector has too.
package protocol CopiedAttachment: AnyObject, Sendable {
  /// The attachment for a copy of its injector.
  func copy(for injector: Injector) -> Self
}

/// An attachment that the report of its injector shows.
package protocol ReportedAttachment: AnyObject, Sendable {
  /// A title, and a line for each thing. Without lines nothing is shown.
  var reportSection: (title: String, lines: [String]) { get }
}

/// An attachment that ends with its injector.
package protocol EndingAttachment: AnyObject, Sendable {
  /// Whether an injector that takes the place of this one lacks nothing.
  var isIdle: Bool { get }

  /// The injector has been closed, or goes. Called once or more, without a lock.
  func end()

  /// The test has ended that the injector is a copy for. Values stay for code that outlives it.
  func endObserving()
}

/// Reports when hooks of an injector or one of its parents change their verdicts on candidates. It does not slow
/// requests down.
package final class VerdictObservation: Sendable {
  fileprivate final class List: Sendable {
    let observations = Guarded<[VerdictObservation]>([])
  }

  private let notify: @Sendable () -> Void
  private let lists: [List]

  fileprivate init(in lists: [List], _ notify: @escaping @Sendable () -> Void) {
    (self.lists, self.notify) = (lists, notify)
    for list in lists { list.observations.withLock { $0.append(self) } }
  }

  package func end() {
    for list in lists {
      let old = list.observations.withLock { observations in
        let old = observations
        observations.removeAll { $0 === self }
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  fileprivate func tell() { notify() }
}

extension Injector {
  /// Observes what decides about candidates here.
  ///
  /// - Parameter notify: Is called on the thread that decides otherwise. It must not hold this injector.
  package func observeVerdicts(_ notify: @escaping @Sendable () -> Void) -> VerdictObservation {
    let lists = levels.compactMap { level in
      level.updateAttachment(VerdictObservation.List.self) { $0 ?? VerdictObservation.List() }
    }
    return VerdictObservation(in: lists, notify)
  }

  /// A hook of this injector decides otherwise from now on.
  package func verdictsHaveChanged() {
    for one in attachment(VerdictObservation.List.self)?.observations.withLock({ $0 }) ?? [] { one.tell() }
  }
}
