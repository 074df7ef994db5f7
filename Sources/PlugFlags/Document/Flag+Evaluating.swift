import Foundation
import Plug

/// What an evaluation came to, before the value is read as a type.
@usableFromInline
struct FlagOutcome {
  /// The variant; `nil` where the caller's default counts.
  @usableFromInline let variant: Flag.Variant?
  @usableFromInline let reason: FlagReason
  @usableFromInline var errorCode: FlagErrorCode?
  @usableFromInline var errorMessage: String?
  @usableFromInline let metadata: [String: FlagValue]

  init(_ reason: FlagReason, _ variant: Flag.Variant?, _ metadata: [String: FlagValue]) {
    (self.reason, self.variant, self.metadata) = (reason, variant, metadata)
  }

  init(_ errorCode: FlagErrorCode, _ message: String, _ metadata: [String: FlagValue]) {
    self.init(.error, nil, metadata)
    (self.errorCode, errorMessage) = (errorCode, message)
  }

  /// The error that a value is of another type.
  @usableFromInline
  init(mismatch variant: Flag.Variant, _ type: any Any.Type, _ metadata: [String: FlagValue]) {
    let message = "variant \(JSONWriter.quoted(variant.name)) is \(variant.value), not of type \(type)"
    self.init(.typeMismatch, message, metadata)
  }

  @inlinable
  func evaluation<Value>(value: Value, variant: String?) -> FlagEvaluation<Value> {
    FlagEvaluation(
      value: value, variant: variant, reason: reason, errorCode: errorCode, errorMessage: errorMessage,
      metadata: metadata)
  }
}

extension Flag {
  func outcome<Context: FlagContext>(
    in context: Context, at time: Date?, recorder: TraceRecorder?
  ) -> FlagOutcome {
    guard isValid else {
      let message = "flag \(JSONWriter.quoted(key)) is wrong; see the problems of its document"
      return FlagOutcome(.parseError, message, metadata)
    }
    guard isEnabled else { return FlagOutcome(.disabled, nil, metadata) }
    guard let targeting else { return defaultOutcome(.static) }
    var state = EvaluationState(flagKey: key, flagHash: hash, time: time, recorder: recorder)
    do {
      return outcome(of: try targeting.value(in: context, &state))
    } catch {
      return FlagOutcome(.general, error.message, metadata)
    }
  }

  private func outcome(of result: FlagValue) -> FlagOutcome {
    switch result {
    case .null: return defaultOutcome(.default)
    case .string(let name): return outcome(variant(name), named: name)
    case .bool(let value): return outcome(variant(value), named: value ? "true" : "false")
    case .number, .array, .object:
      return FlagOutcome(.general, "the targeting gave \(result), which is not the name of a variant", metadata)
    }
  }

  private func outcome(_ variant: Variant?, named name: String) -> FlagOutcome {
    if let variant { return FlagOutcome(.targetingMatch, variant, metadata) }
    let hint = Spelling.hint(for: name, among: variants)
    return FlagOutcome(
      .general, "the targeting gave \(JSONWriter.quoted(name)), which is not the name of a variant\(hint)", metadata)
  }

  /// The default variant. Without one the caller's default counts, whatever led to it.
  private func defaultOutcome(_ reason: FlagReason) -> FlagOutcome {
    guard let defaultVariant, let variant = variant(defaultVariant) else { return FlagOutcome(.default, nil, metadata) }
    return FlagOutcome(reason, variant, metadata)
  }
}
