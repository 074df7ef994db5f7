public import Logging
public import Plug
public import PlugFlags
import PlugOperations

// The event `feature_flag.evaluation` of OpenTelemetry's semantic conventions 1.44, as a log record: a backend of
// swift-log that exports to OpenTelemetry sends the metadata as attributes. An attribute without a value is left out.

extension Injector {
  /// Logs OpenTelemetry's event `feature_flag.evaluation` for each choice of a candidate, and for each flag that code
  /// reads, in contexts of one type.
  ///
  /// ```swift
  /// let token = services.logEvaluations(by: \Shopper.id, to: logger)
  /// ```
  ///
  /// The key of the event is the id of the point or the key of the flag, and the variant is the id of the candidate or
  /// the variant. The set, the version and the error of a flag are not part of an exposure: see
  /// ``Logging/Logger/logEvaluation(_:of:for:)``.
  ///
  /// - Parameters:
  ///   - service: The service; `nil` for all services and flags, and `Flags.self` for flags alone.
  ///   - identifier: The property that identifies a context, such as the id of an account. The events contain its
  ///     values.
  ///   - logger: The logger, which receives records of the level `info`.
  /// - Returns: A token that ends the events when it is cancelled or released.
  public func logEvaluations<Context: Sendable>(
    of service: (any Any.Type)? = nil, by identifier: any KeyPath<Context, String> & Sendable, to logger: Logger
  ) -> ObservationToken {
    onSelection(of: service, .each(by: identifier)) { exposure in
      let reason =
        switch exposure.reason {
        case .fallback: "default"
        case .forced: "static"
        default: exposure.isShare ? "split" : "targeting_match"
        }
      logger.logEvaluation(
        of: exposure.point,
        [
          "feature_flag.result.variant": exposure.candidate,
          "feature_flag.result.reason": reason,
          "feature_flag.context.id": exposure.identifier,
        ])
    }
  }
}

extension Logger {
  /// Logs OpenTelemetry's event `feature_flag.evaluation` for an evaluation of a flag, with the set and the version of
  /// the flag, and with the error if there is one.
  ///
  /// ```swift
  /// let evaluation = services.evaluation(of: .newCheckout, in: shopper)
  /// logger.logEvaluation(evaluation, of: "new-checkout", for: shopper.id)
  /// ```
  ///
  /// The value is logged only if there is no variant: then it is the default of the code.
  ///
  /// An evaluation by an injector that finds a variant is also an exposure. If you log evaluations yourself, observe
  /// services one by one with ``Plug/Injector/logEvaluations(of:by:to:)``.
  ///
  /// - Parameters:
  ///   - evaluation: The evaluation.
  ///   - key: The key of the flag.
  ///   - identifier: The identifier of the context, such as the id of an account.
  public func logEvaluation<Value>(_ evaluation: FlagEvaluation<Value>, of key: String, for identifier: String?) {
    func text(_ name: String) -> String? {
      evaluation.metadata[name].flatMap { String.read($0) }
    }
    logEvaluation(
      of: key,
      [
        "feature_flag.result.variant": evaluation.variant,
        "feature_flag.result.value": evaluation.variant == nil ? "\(evaluation.value)" : nil,
        "feature_flag.result.reason": evaluation.reason.rawValue.lowercased(),
        "feature_flag.context.id": identifier,
        "feature_flag.set.id": text("flagSetId"),
        "feature_flag.version": text("version"),
        "error.type": evaluation.errorCode?.rawValue.lowercased(),
        "feature_flag.error.message": evaluation.errorMessage,
      ])
  }

  fileprivate func logEvaluation(of key: String, _ result: [String: String?]) {
    let name = "feature_flag.evaluation"
    let attributes = ["event.name": name, "feature_flag.key": key, "feature_flag.provider.name": "plug"]
      .merging(result.compactMapValues(\.self)) { $1 }
      .filter { !$0.value.isEmpty }
    info("\(name)", metadata: attributes.mapValues { .string($0) })
  }
}
