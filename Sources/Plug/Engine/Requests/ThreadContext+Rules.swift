/// What rules run for.
enum RuleUse: UInt8 {
  /// They do not.
  case none
  case choice
  /// A choice in which a request of a condition came back to where it began, or went too deep.
  case interruptedChoice
  case explanation
}

/// Why a condition could not be decided, for a reason that does not lie in it.
struct Interruption {
  /// The level of the choice that the condition belongs to.
  let depth: Int
  let error: InjectorError
}

extension ThreadContext {
  /// How many explanations may lie one inside of the other, because each evaluates what the ones around it do again.
  private static let explanationLimit = 3

  /// Notes that a condition of the innermost choice has thrown because a request came back to where it began, or went
  /// too deep. What another condition threw concerns that alone.
  func noteInterruption(_ error: any Error) {
    guard let error = error as? InjectorError, depth > 0 else { return }
    switch error {
    case .circularDependency, .depthExceeded: break
    default: return
    }
    guard unsafe frames[depth - 1].rules == .choice || frames[depth - 1].rules == .interruptedChoice else { return }
    unsafe frames[depth - 1].rules = .interruptedChoice
    // What is noted of inner choices belongs to such as have ended.
    while let last = interruptions.last, last.depth >= depth { interruptions.removeLast() }
    interruptions.append(Interruption(depth: depth, error: error))
  }

  /// What has interrupted the innermost choice, if anything has.
  var interruption: InjectorError? {
    guard unsafe frames[depth - 1].rules == .interruptedChoice else { return nil }
    return interruptions.last { $0.depth == depth }?.error
  }

  /// Whether a choice that has failed may explain itself: not where that only decides a rule, which would cost twice as
  /// much with each level.
  var mayExplain: Bool {
    var level = depth
    while level > 0 {
      level -= 1
      switch unsafe frames[level].rules {
      case .none: continue
      case .choice, .interruptedChoice: return false
      case .explanation: return explanations < Self.explanationLimit
      }
    }
    return true
  }

  /// Runs the rules of a selector to explain what it chooses, as one level more.
  func explaining<Result>(
    _ step: ResolutionStep, in injector: Injector, _ body: () -> Result
  ) throws(InjectorError) -> Result {
    let refusal = unsafe beginRules(of: Unmanaged.passUnretained(step), in: injector, for: .explanation)
    if let refusal { throw refusal }
    explanations += 1
    defer {
      explanations -= 1
      endRules()
    }
    return body()
  }
}
