import Foundation
import OpenFeature
import Plug
import PlugFlags
import PlugKeys
import PlugOpenFeature
import Synchronization
import Testing

/// A context with the protocol of the SDK.
private final class Context: EvaluationContext {
  private let targetingKey: String
  private let values: [String: Value]

  init(targetingKey: String, _ values: [String: Value]) {
    (self.targetingKey, self.values) = (targetingKey, values)
  }

  func getTargetingKey() -> String { targetingKey }
  func setTargetingKey(targetingKey: String) {}
  func keySet() -> Set<String> { Set(values.keys) }
  func getValue(key: String) -> Value? { values[key] }
  func asMap() -> [String: Value] { values }
  func asObjectMap() -> [String: AnyHashable?] { [:] }
}

/// Details of an event with the protocol of the SDK.
private struct Details: TrackingEventDetails {
  let value: Double?
  let values: [String: Value]

  func getValue() -> Double? { value }
  func keySet() -> Set<String> { Set(values.keys) }
  func getValue(key: String) -> Value? { values[key] }
  func asMap() -> [String: Value] { values }
  func asObjectMap() -> [String: AnyHashable?] { [:] }
}

@Suite("The provider for OpenFeature's client API", .timeLimit(.minutes(10)))
struct PlugProviderTests {
  private let services = Injector("services")
  private let provider: any FeatureProvider

  init() throws {
    services[Flags.self] = try FlagDocument(
      """
      {"flags": {
        "isOn": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on", "metadata": {"team": "shop"}},
        "text": {"state": "ENABLED", "variants": {"german": "Hallo", "english": "Hello"}, "defaultVariant": "english",
          "targeting": {"if": [{"in": ["DE", {"var": "address.countries"}]}, "german"]}},
        "count": {"state": "ENABLED", "variants": {"few": 3}, "defaultVariant": "few"},
        "share": {"state": "DISABLED", "variants": {"half": 0.5}, "defaultVariant": "half"},
        "object": {"state": "ENABLED", "variants": {"lou": {"a": [1, 2.5, null]}, "other": {}}, "targeting":
          {"if": [{"==": [{"var": "targetingKey"}, "lou"]}, "lou", "other"]}},
        "wrong": {"state": "on", "variants": {}},
        "unknown": {"state": "ENABLED", "variants": {"a": true}, "targeting": "b"}
      }, "metadata": {"version": 7, "list": []}}
      """)
    provider = PlugProvider(services)
  }

  @Test("evaluates flags of each type, in the context that it is given")
  func values() throws {
    let context = Context(
      targetingKey: "lou", ["address": .structure(["countries": .list([.string("AT"), .string("DE")])])])
    let isOn = try provider.getBooleanEvaluation(key: "isOn", defaultValue: false, context: nil)
    #expect(isOn.value && isOn.variant == "on" && isOn.reason == "STATIC")
    #expect(isOn.flagMetadata == ["team": .string("shop"), "version": .integer(7)])
    let text = try provider.getStringEvaluation(key: "text", defaultValue: "", context: context)
    #expect(text.value == "Hallo" && text.variant == "german" && text.reason == "TARGETING_MATCH")
    #expect(try provider.getStringEvaluation(key: "text", defaultValue: "", context: nil).reason == "DEFAULT")
    #expect(try provider.getIntegerEvaluation(key: "count", defaultValue: 0, context: context).value == 3)
    let share = try provider.getDoubleEvaluation(key: "share", defaultValue: 0.1, context: context)
    #expect(share.value == 0.1 && share.variant == nil && share.reason == "DISABLED")
    let object = try provider.getObjectEvaluation(key: "object", defaultValue: .null, context: context)
    #expect(object.value == .structure(["a": .list([.integer(1), .double(2.5), .null])]))
  }

  @Test("throws the errors of the SDK")
  func errors() {
    func expect<T>(_ error: OpenFeatureError, _ evaluate: () throws -> ProviderEvaluation<T>) {
      #expect(throws: error) { try evaluate() }
    }
    expect(.flagNotFoundError(key: "none")) {
      try provider.getBooleanEvaluation(key: "none", defaultValue: false, context: nil)
    }
    expect(.typeMismatchError) { try provider.getBooleanEvaluation(key: "count", defaultValue: false, context: nil) }
    expect(.parseError(message: "flag \"wrong\" is wrong; see the problems of its document")) {
      try provider.getBooleanEvaluation(key: "wrong", defaultValue: false, context: nil)
    }
    expect(.generalError(message: "the targeting gave \"b\", which is not the name of a variant")) {
      try provider.getBooleanEvaluation(key: "unknown", defaultValue: false, context: nil)
    }
  }

  @Test("passes on the events that the program tracks")
  func tracking() throws {
    let events = Mutex<[TrackingEvent]>([])
    let provider: any FeatureProvider = PlugProvider(services) { event in events.withLock { $0.append(event) } }
    let context = Context(targetingKey: "lou", ["country": .string("DE")])
    let details = Details(value: 28.10, values: ["currency": .string("EUR"), "items": .list([.integer(1)])])
    try provider.track(key: "purchase", context: context, details: details)
    try provider.track(key: "visit", context: nil, details: nil)
    try self.provider.track(key: "ignored", context: nil, details: nil)
    #expect(
      events.withLock(\.self) == [
        TrackingEvent(
          "purchase", value: 28.1, details: ["currency": .string("EUR"), "items": .array([.number(1)])],
          in: FlagAttributes(targetingKey: "lou", ["country": .string("DE")])),
        TrackingEvent("visit", in: FlagAttributes()),
      ])
  }

  @Test("is set when the flags are there")
  func setting() async throws {
    let services = Injector("services")
    let file = FileManager.default.temporaryDirectory.appending(path: "flags-\(UUID()).json").path
    try #"{"flags": {}}"#.write(toFile: file, atomically: true, encoding: .utf8)
    func FlagFile(_ name: String) -> PlugFlags.FlagFile { PlugFlags.FlagFile(file) }
    try services.register(.following(FlagFile("flags.json")))
    try await services.start()
    await OpenFeatureAPI.shared.setProviderAndWait(
      provider: PlugProvider(services))
    #expect(ProviderStatusTracker.sent.withLock { $0.contains(.ready(nil)) })
    await services.close()
    try FileManager.default.removeItem(atPath: file)
  }

  @Test("is ready at once, and reports the flags that a new document changes")
  func events() async throws {
    #expect(provider.status == .notReady && provider.metadata.name == "plug" && provider.hooks.isEmpty)
    _ = provider.initialize(initialContext: nil)
    #expect(provider.status == .ready)
    services[Flags.self] = .empty
    let keys = ["isOn", "text", "count", "share", "object", "wrong", "unknown"]
    let event = ProviderEvent.configurationChanged(ProviderEventDetails(flagsChanged: keys))
    while !ProviderStatusTracker.sent.withLock({ $0.contains(event) }) { await Task.yield() }
    _ = provider.onContextSet(oldContext: nil, newContext: Context(targetingKey: "", [:]))
    await services.close()
  }
}
