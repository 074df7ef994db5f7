public import Combine
import Foundation
public import OpenFeature
public import Plug
import PlugFlags
import PlugKeys
import Synchronization

/// Lets the client API of OpenFeature evaluate the current flags of an injector.
///
/// ```swift
/// try await services.start()
/// await OpenFeatureAPI.shared.setProviderAndWait(
///   provider: PlugProvider(services))
/// ```
///
/// Evaluations run in the process. A new document sends an event with the keys of the flags that it changes.
public final class PlugProvider: FeatureProvider, Sendable {
  private struct Metadata: ProviderMetadata {
    var name: String? { "plug" }
  }

  /// The hooks of the provider: none.
  public var hooks: [any Hook] { [] }

  /// The name `plug`.
  public var metadata: any ProviderMetadata { Metadata() }

  private let injector: Injector
  private let receive: @Sendable (TrackingEvent) -> Void
  private let tracker = ProviderStatusTracker()
  private let changes = Mutex<Task<Void, Never>?>(nil)

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - injector: The injector whose ``PlugFlags/Flags`` are evaluated. A scope can have its own.
  ///   - receive: Receives the events that the program tracks. To count them by variant, compare the targeting keys of
  ///     their contexts with the identifiers of exposures.
  public init(_ injector: Injector, onTrackingEvent receive: @escaping @Sendable (TrackingEvent) -> Void = { _ in }) {
    (self.injector, self.receive) = (injector, receive)
  }

  deinit { changes.withLock { $0 }?.cancel() }

  /// The status: ready once the provider is initialized.
  public var status: ProviderStatus { tracker.status }

  /// Returns the events: the provider is ready, or a document has changed flags.
  public func observe() -> AnyPublisher<ProviderEvent, Never> { tracker.observe() }

  /// Starts to report changed flags, compared with the current document: initialize when that document is there.
  public func initialize(initialContext: (any EvaluationContext)?) -> Future<Void, Never> {
    tracker.send(.ready(nil))
    let (keys, tracker) = (injector.flagChanges(), tracker)
    let task = Task {
      for await keys in keys { tracker.send(.configurationChanged(ProviderEventDetails(flagsChanged: keys))) }
    }
    changes.withLock { old in
      let before = old
      old = task
      return before
    }?.cancel()
    return Future { $0(.success(())) }
  }

  /// Does nothing, because each evaluation receives the context.
  public func onContextSet(
    oldContext: (any EvaluationContext)?, newContext: any EvaluationContext
  ) -> Future<Void, Never> {
    Future { $0(.success(())) }
  }

  /// Evaluates a flag whose value is a Boolean.
  public func getBooleanEvaluation(
    key: String, defaultValue: Bool, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<Bool> {
    try evaluate(FlagKey(key, default: defaultValue), context) { $0 }
  }

  /// Evaluates a flag whose value is a string.
  public func getStringEvaluation(
    key: String, defaultValue: String, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<String> {
    try evaluate(FlagKey(key, default: defaultValue), context) { $0 }
  }

  /// Evaluates a flag whose value is a whole number.
  public func getIntegerEvaluation(
    key: String, defaultValue: Int64, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<Int64> {
    try evaluate(FlagKey(key, default: Int(defaultValue)), context) { Int64($0) }
  }

  /// Evaluates a flag whose value is a number.
  public func getDoubleEvaluation(
    key: String, defaultValue: Double, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<Double> {
    try evaluate(FlagKey(key, default: defaultValue), context) { $0 }
  }

  /// Evaluates a flag whose value may be of any kind.
  public func getObjectEvaluation(
    key: String, defaultValue: Value, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<Value> {
    try evaluate(FlagKey(key, default: FlagValue(defaultValue)), context) { Value($0) }
  }

  /// Passes an event to the closure of the provider.
  public func track(key: String, context: (any EvaluationContext)?, details: (any TrackingEventDetails)?) {
    receive(
      TrackingEvent(
        key, value: details?.getValue(), details: (details?.asMap() ?? [:]).mapValues { FlagValue($0) },
        in: FlagAttributes(context)))
  }

  /// Evaluates a flag of the current document. If this throws, the client returns its default.
  private func evaluate<Read, Given>(
    _ key: FlagKey<Read>, _ context: (any EvaluationContext)?, _ convert: (Read) -> Given
  ) throws -> ProviderEvaluation<Given> {
    let evaluation = injector.evaluation(of: key, in: FlagAttributes(context))
    let message = evaluation.errorMessage ?? ""
    switch evaluation.errorCode {
    case nil: break
    case .flagNotFound: throw OpenFeatureError.flagNotFoundError(key: key.name)
    case .parseError: throw OpenFeatureError.parseError(message: message)
    case .typeMismatch: throw OpenFeatureError.typeMismatchError
    case .general: throw OpenFeatureError.generalError(message: message)
    }
    return ProviderEvaluation(
      value: convert(evaluation.value), flagMetadata: evaluation.metadata.compactMapValues(MetadataValue.init(_:)),
      variant: evaluation.variant, reason: evaluation.reason.rawValue)
  }
}
