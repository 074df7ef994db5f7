import Foundation

/// What a flag has come to for a context, before the value is read as a type.
enum FlagDecision {
  case variant(Flag.Variant, FlagReason)
  case callersDefault(FlagReason)
  case failure(FlagErrorCode, String)
}

/// A decision with what the document says besides.
@usableFromInline
struct FlagOutcome {
  /// The variant; `nil` where the caller's default counts.
  @usableFromInline let variant: Flag.Variant?
  @usableFromInline let reason: FlagReason
  @usableFromInline let errorCode: FlagErrorCode?
  @usableFromInline let errorMessage: String?
  @usableFromInline let metadata: [String: FlagValue]

  init(_ decision: FlagDecision, _ metadata: [String: FlagValue]) {
    self.metadata = metadata
    switch decision {
    case .variant(let variant, let reason):
      (self.variant, self.reason, errorCode, errorMessage) = (variant, reason, nil, nil)
    case .callersDefault(let reason):
      (variant, self.reason, errorCode, errorMessage) = (nil, reason, nil, nil)
    case .failure(let code, let message):
      (variant, reason, errorCode, errorMessage) = (nil, .error, code, message)
    }
  }

  /// The error that a value is of another type.
  @usableFromInline
  init(mismatch variant: Flag.Variant, _ type: any Any.Type, _ metadata: [String: FlagValue]) {
    let message = "variant \(JSONWriter.quoted(variant.name)) is \(variant.value), not of type \(type)"
    self.init(.failure(.typeMismatch, message), metadata)
  }

  @inlinable
  func evaluation<Value>(value: Value, variant: String?) -> FlagEvaluation<Value> {
    FlagEvaluation(
      value: value, variant: variant, reason: reason, errorCode: errorCode, errorMessage: errorMessage,
      metadata: metadata)
  }
}

extension Flag {
  func decision<Context: FlagContext>(
    in context: Context, at time: Date?, recorder: TraceRecorder?
  ) -> FlagDecision {
    guard isEnabled else { return .callersDefault(.disabled) }
    guard isValid else {
      return .failure(.parseError, "flag \(JSONWriter.quoted(key)) is wrong; see the problems of its document")
    }
    guard let targeting else { return defaultDecision(.static) }
    var state = EvaluationState(flagKey: key, flagHash: hash, version: version, time: time, recorder: recorder)
    do {
      return decision(by: try targeting.value(in: context, &state))
    } catch {
      return .failure(.general, error.message)
    }
  }

  private func decision(by result: FlagValue) -> FlagDecision {
    switch result {
    case .null: defaultDecision(.default)
    case .string(let name): decision(for: variant(name), named: name)
    case .bool(let value): decision(for: variant(value), named: value ? "true" : "false")
    case .number(let value) where value.isFinite:
      decision(for: variant(NumberText.text(value)), named: NumberText.text(value))
    case .number, .array, .object:
      .failure(.general, "the targeting gave \(result), which is not the name of a variant")
    }
  }

  private func decision(for variant: Variant?, named name: String) -> FlagDecision {
    if let variant { return .variant(variant, .targetingMatch) }
    return .failure(.general, "the targeting gave \(JSONWriter.quoted(name)), which is not the name of a variant")
  }

  /// The default variant. Without one the caller's default counts, whatever led to it.
  private func defaultDecision(_ reason: FlagReason) -> FlagDecision {
    guard let defaultVariant, let variant = variant(defaultVariant) else { return .callersDefault(.default) }
    return .variant(variant, reason)
  }
}
