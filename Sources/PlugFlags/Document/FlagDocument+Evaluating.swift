public import Foundation

extension FlagDocument {
  /// Evaluates a flag.
  ///
  /// ```swift
  /// let result = document.evaluate(.newCheckout, in: shopper)
  /// result.value   // true
  /// result.reason  // .targetingMatch
  /// ```
  ///
  /// It never fails: if there is an error, the value is the default of the key.
  ///
  /// - Parameters:
  ///   - key: The flag, with the type of its value and the default.
  ///   - context: The context that the flag is evaluated in.
  ///   - time: The time of `$flagd.timestamp`, by default the current time.
  /// - Returns: The value, and how it came about.
  @inlinable
  public func evaluate<Value, Context: FlagContext>(
    _ key: FlagKey<Value>, in context: Context, at time: Date? = nil
  ) -> FlagEvaluation<Value> {
    let outcome = outcome(key.key, in: context, at: time, recorder: nil)
    guard let variant = outcome.value else { return outcome.replacing(value: key.defaultValue) }
    if let value = key.read(variant.value) { return outcome.replacing(value: value) }
    return FlagEvaluation(mismatch: variant, Value.self, outcome.metadata).replacing(value: key.defaultValue)
  }

  /// Evaluates a flag, whatever the type of its value.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - context: The context that the flag is evaluated in.
  ///   - time: The time of `$flagd.timestamp`, by default the current time.
  /// - Returns: The value, and how it came about. The value is `nil` if the caller's default is used.
  public func evaluate<Context: FlagContext>(
    _ key: String, in context: Context, at time: Date? = nil
  ) -> FlagEvaluation<FlagValue?> {
    let outcome = outcome(HashedName(key), in: context, at: time, recorder: nil)
    return outcome.replacing(value: outcome.value?.value)
  }

  /// Evaluates a flag, and records each step.
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - context: The context that the flag is evaluated in.
  ///   - time: The time of `$flagd.timestamp`, by default the current time.
  /// - Returns: The evaluation with every operand of the targeting.
  public func explain<Context: FlagContext>(
    _ key: String, in context: Context, at time: Date? = nil
  ) -> FlagExplanation {
    let recorder = TraceRecorder(hiding: context.privateAttributes.union(global?.privateAttributes ?? []))
    let outcome = outcome(HashedName(key), in: context, at: time, recorder: recorder)
    return FlagExplanation(
      key: key, evaluation: outcome.replacing(value: outcome.value?.value), source: source(of: key),
      targeting: recorder.trace)
  }

  /// Returns the variant of a flag; `nil` if the caller's default is used.
  @usableFromInline
  func decided<Context: FlagContext>(
    _ key: HashedName, in context: Context
  ) -> (variant: Flag.Variant, reason: FlagReason)? {
    switch decision(key, in: context) {
    case .variant(let variant?, let reason), .annotated(let variant, let reason, _): return (variant, reason)
    case .variant(nil, _), .failure: return nil
    }
  }

  func decision<Context: FlagContext>(_ key: HashedName, in context: Context) -> FlagDecision {
    guard let flag = contents.flags[key] else { return missing(key) }
    return decision(of: flag, in: context, at: nil, recorder: nil)
  }

  @usableFromInline
  func outcome<Context: FlagContext>(
    _ key: HashedName, in context: Context, at time: Date?, recorder: TraceRecorder?
  ) -> FlagEvaluation<Flag.Variant?> {
    guard let flag = contents.flags[key] else { return FlagEvaluation(missing(key), metadata) }
    return FlagEvaluation(decision(of: flag, in: context, at: time, recorder: recorder), flag.metadata)
  }

  private func decision<Context: FlagContext>(
    of flag: Flag, in context: Context, at time: Date?, recorder: TraceRecorder?
  ) -> FlagDecision {
    guard let global else { return flag.decision(in: context, at: time, recorder: recorder) }
    return flag.decision(in: LayeredContext(context: context, global: global), at: time, recorder: recorder)
  }

  private func missing(_ key: HashedName) -> FlagDecision {
    .failure(.flagNotFound, "the document has no flag \(JSONWriter.quoted(key.text))")
  }
}
