// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Combine
public import Foundation
public import Synchronization

// The part of OpenFeature's SDK for Swift that the provider uses, with the same signatures (open-feature/swift-sdk
// 0.6.0).

public protocol EventPublisher {
  func observe() -> AnyPublisher<ProviderEvent, Never>
}

public protocol FeatureProvider: EventPublisher {
  var hooks: [any Hook] { get }
  var metadata: any ProviderMetadata { get }
  var status: ProviderStatus { get }

  func initialize(initialContext: (any EvaluationContext)?) -> Future<Void, Never>
  func onContextSet(
    oldContext: (any EvaluationContext)?, newContext: any EvaluationContext
  ) -> Future<Void, Never>

  func getBooleanEvaluation(
    key: String, defaultValue: Bool, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<Bool>
  func getStringEvaluation(
    key: String, defaultValue: String, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<String>
  func getIntegerEvaluation(
    key: String, defaultValue: Int64, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<Int64>
  func getDoubleEvaluation(
    key: String, defaultValue: Double, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<Double>
  func getObjectEvaluation(
    key: String, defaultValue: Value, context: (any EvaluationContext)?
  ) throws -> ProviderEvaluation<Value>

  func track(key: String, context: (any EvaluationContext)?, details: (any TrackingEventDetails)?) throws
}

extension FeatureProvider {
  public func track(key: String, context: (any EvaluationContext)?, details: (any TrackingEventDetails)?) throws {}
}

public final class OpenFeatureAPI: Sendable {
  public static let shared = OpenFeatureAPI()

  public func setProviderAndWait(provider: any FeatureProvider) async {
    _ = provider.initialize(initialContext: nil)
  }
}

public protocol Hook {}

public protocol ProviderMetadata {
  var name: String? { get }
}

public protocol Structure {
  func keySet() -> Set<String>
  func getValue(key: String) -> Value?
  func asMap() -> [String: Value]
  func asObjectMap() -> [String: AnyHashable?]
}

public protocol TrackingEventDetails: Structure {
  func getValue() -> Double?
}

public protocol EvaluationContext: Structure {
  func getTargetingKey() -> String
  func setTargetingKey(targetingKey: String)
}

public enum Value: Equatable, Codable {
  case boolean(Bool)
  case string(String)
  case integer(Int64)
  case double(Double)
  case date(Date)
  case list([Value])
  case structure([String: Value])
  case null
}

public enum MetadataValue: Equatable, Codable, Sendable {
  case boolean(Bool)
  case string(String)
  case integer(Int64)
  case double(Double)
}

public struct ProviderEvaluation<T> {
  public var value: T
  public var flagMetadata: [String: MetadataValue]
  public var variant: String?
  public var reason: String?
  public var errorCode: ErrorCode?
  public var errorMessage: String?

  public init(
    value: T, flagMetadata: [String: MetadataValue] = [:], variant: String? = nil, reason: String? = nil,
    errorCode: ErrorCode? = nil, errorMessage: String? = nil
  ) {
    (self.value, self.flagMetadata, self.variant) = (value, flagMetadata, variant)
    (self.reason, self.errorCode, self.errorMessage) = (reason, errorCode, errorMessage)
  }
}

public enum ErrorCode: Int, Sendable {
  case providerNotReady, flagNotFound, parseError, typeMismatch, targetingKeyMissing, invalidContext, general
  case providerFatal
}

public enum OpenFeatureError: Error, Equatable {
  case flagNotFoundError(key: String)
  case generalError(message: String)
  case invalidContextError
  case parseError(message: String)
  case targetingKeyMissingError
  case typeMismatchError
  case valueNotConvertableError
  case providerNotReadyError
  case providerFatalError(message: String)
}

public enum ProviderStatus: String, Sendable {
  case notReady, ready, error, stale, fatal, reconciling
}

public struct ProviderEventDetails: Equatable, Sendable {
  public let flagsChanged: [String]?
  public let message: String?
  public let errorCode: ErrorCode?
  public let eventMetadata: [String: MetadataValue]

  public init(
    flagsChanged: [String]? = nil, message: String? = nil, errorCode: ErrorCode? = nil,
    eventMetadata: [String: MetadataValue] = [:]
  ) {
    (self.flagsChanged, self.message) = (flagsChanged, message)
    (self.errorCode, self.eventMetadata) = (errorCode, eventMetadata)
  }
}

public enum ProviderEvent: Equatable, Sendable {
  case ready(ProviderEventDetails?)
  case error(ProviderEventDetails?)
  case configurationChanged(ProviderEventDetails?)
  case stale(ProviderEventDetails?)
  case reconciling(ProviderEventDetails?)
  case contextChanged(ProviderEventDetails?)
}

public final class ProviderStatusTracker: Sendable {
  /// The events that all trackers have sent, for tests.
  public static let sent = Mutex<[ProviderEvent]>([])
  private let current = Mutex(ProviderStatus.notReady)

  public init() {}

  public var status: ProviderStatus { current.withLock { $0 } }

  public func send(_ event: ProviderEvent) {
    if case .ready = event { current.withLock { $0 = .ready } }
    Self.sent.withLock { $0.append(event) }
  }

  public func observe() -> AnyPublisher<ProviderEvent, Never> { AnyPublisher() }
}
