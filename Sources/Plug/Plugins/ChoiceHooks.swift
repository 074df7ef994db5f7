/// Hooks that change the choices of an injector and of the scopes in it.
package protocol VerdictHooks: Hooks {
  /// The verdicts on candidates, by position. They override the rules, and apply to the whole choice.
  func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict]

  /// The notes on candidates in an explanation, by position.
  func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes]
}

/// Hooks that see the choices of an injector and of the scopes in it.
package protocol ChoiceHooks: Hooks {
  /// Receives an event. No lock is held.
  func note(_ event: ChoiceEvent, in injector: Injector)
}

package enum ChoiceEvent {
  /// A candidate was chosen, and is about to be made.
  case chosen(Choice)
  /// The candidate could not be made, and the next one replaces it.
  case passed(Choice, any Error)
  /// The candidate was made, and is about to be returned.
  case given(Choice)
  /// Something other than a candidate was decided for a context, such as the variant of a flag. The type identifies the
  /// decision, as a service identifies a choice.
  case decided(any Any.Type, name: String, outcome: String, isDefault: Bool, ContextReference)
}

extension Layers {
  /// The hooks of an injector and of the injectors around it that change choices, the outermost first.
  static func verdictHooks(of injector: Injector) -> [any VerdictHooks] {
    hooks(of: injector).compactMap { $0 as? any VerdictHooks }
  }

  /// Passes an event to all hooks of an injector and of the injectors around it, the innermost first.
  package static func note(_ event: ChoiceEvent, in injector: Injector) {
    forEachHook(of: injector) { ($0 as? any ChoiceHooks)?.note(event, in: injector) }
  }
}

extension CandidateOrdering {
  /// The verdicts of hooks on candidates. Verdicts of an inner injector override those of the injectors around it.
  func verdicts(in injector: Injector) -> [Int: Verdict] {
    var verdicts: [Int: Verdict] = [:]
    for hook in Layers.verdictHooks(of: injector) {
      let own = hook.verdicts(on: self, in: injector)
      if own.values.contains(.forced) { verdicts = verdicts.filter { $0.value != .forced } }
      verdicts.merge(own) { $1 }
    }
    return verdicts
  }
}
