import Foundation

/// The result of a flag for a context, before its value is read as a type.
enum FlagDecision {
  /// A variant; `nil` if the caller's default is used.
  case variant(Flag.Variant?, FlagReason)
  /// A variant with the metadata of the branch that chose it.
  case annotated(Flag.Variant, FlagReason, [String: FlagValue])
  case failure(FlagErrorCode, String)
}

extension FlagEvaluation<Flag.Variant?> {
  /// Creates the evaluation of a decision. The value is `nil` if the caller's default is used.
  init(_ decision: FlagDecision, _ metadata: [String: FlagValue]) {
    switch decision {
    case .variant(let variant, let reason):
      self.init(value: variant, variant: variant?.name, reason: reason, metadata: metadata)
    case .annotated(let variant, let reason, let own):
      self.init(value: variant, variant: variant.name, reason: reason, metadata: metadata.merging(own) { $1 })
    case .failure(let code, let message):
      self.init(value: nil, variant: nil, reason: .error, errorCode: code, errorMessage: message, metadata: metadata)
    }
  }

  /// Creates the evaluation of a variant whose value has the wrong type.
  @usableFromInline
  init(mismatch variant: Flag.Variant, _ type: any Any.Type, _ metadata: [String: FlagValue]) {
    let message = "variant \(JSONWriter.quoted(variant.name)) is \(variant.value), not of type \(type)"
    self.init(.failure(.typeMismatch, message), metadata)
  }
}

extension FlagEvaluation {
  @inlinable
  func replacing<Other>(value: Other) -> FlagEvaluation<Other> {
    FlagEvaluation<Other>(
      value: value, variant: variant, reason: reason, errorCode: errorCode, errorMessage: errorMessage,
      metadata: metadata)
  }
}

extension FlagValue {
  /// The name of the variant that a targeting selects with this result; `nil` if the result cannot be a name.
  var variantName: String? {
    switch self {
    case .null, .array: nil
    case .object(let members): members["variant"].flatMap(String.read)
    case .number(let value) where !value.isFinite: nil
    case .bool, .number, .string: asText
    }
  }
}

extension Flag {
  func decision<Context: FlagContext>(
    in context: Context, at time: Date?, recorder: TraceRecorder?
  ) -> FlagDecision {
    guard isEnabled else { return .variant(nil, .disabled) }
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
    if result.isNull { return defaultDecision(.default) }
    let name = result.variantName
    if let chosen = name.flatMap(variant) { return decision(for: chosen, by: result) }
    let shown = name.map(JSONWriter.quoted) ?? result.description
    return .failure(.general, "the targeting gave \(shown), which is not the name of a variant")
  }

  /// The decision for a variant. An object may have a reason and metadata besides the name of the variant.
  private func decision(for variant: Variant, by result: FlagValue) -> FlagDecision {
    guard case .object(let members) = result else { return .variant(variant, .targetingMatch) }
    var own: [String: FlagValue] = [:]
    if case .object(let metadata)? = members["metadata"] { own = metadata }
    if let details = members["details"] { own["details"] = details }
    let reason = members["reason"].flatMap(String.read).map(FlagReason.init) ?? .targetingMatch
    return .annotated(variant, reason, own)
  }

  /// The decision for the default variant. If there is none, the caller's default is used, and the reason is `default`.
  private func defaultDecision(_ reason: FlagReason) -> FlagDecision {
    guard let defaultVariant, let variant = variant(defaultVariant) else { return .variant(nil, .default) }
    return .variant(variant, reason)
  }
}
