/// What makes the instances of one injection: a `Cell`, or an `ArgumentsEntry`.
protocol EntryPart: AnyEntry {
  /// What is known of the factory's dependencies.
  var knowledge: Knowledge { get }

  /// What the factory and the configuration have asked for so far.
  var recorded: Record { get }

  /// Whether a run has shown what the factory asks for, and another what the configuration does.
  var hasRun: Bool { get }
  var hasBeenConfigured: Bool { get }

  var needsSetup: Bool { get }
  var hasInstance: Bool { get }

  /// How making the instance has failed, and whether nobody tries it now, if others take its place.
  var failure: (failure: Explanation.Failure, isRefused: Bool)? { get }

  /// What wraps the instances, in declared order.
  var decorators: [String] { get }

  /// Keeps an instance from being made, until it is decided whether another takes its place.
  ///
  /// - Parameter seen: Receives what has to be released outside of the lock that the caller holds.
  /// - Returns: `false`, and nothing is kept from being made, if an instance exists or is being made, or if scopes have
  ///   cells of their own for this.
  func reserve(_ seen: inout [any Sendable]) -> Bool

  /// Makes an instance as a request does, after loading what that needs.
  ///
  /// - Parameter arguments: Where arguments are looked for by their types.
  /// - Returns: The type of an argument that is not there; then nothing has been made.
  func rehearse(for injector: Injector, with arguments: [any Sendable]) async throws(InjectorError) -> String?

  /// What makes the instances, if they may have to be loaded.
  var loadable: (any LoadableCell)? { get }
}

extension EntryPart {
  var failure: (failure: Explanation.Failure, isRefused: Bool)? { nil }
}

/// What makes instances that may have to be loaded.
protocol LoadableCell: EntryPart {
  /// Whether the instance is made asynchronously.
  var isAsynchronous: Bool { get }

  /// Whether it is made when the injector starts.
  var isEarly: Bool { get }

  /// Whether others have waited for the instance than the start that has made it.
  var isShared: Bool { get }

  /// Loads the instance, together with all who want it now.
  ///
  /// - Parameter way: The steps that led here from what is being loaded by the calling task.
  func load(for injector: Injector, by way: [ResolutionStep]) async throws(InjectorError)

  /// Makes the shared instance, whatever that takes, if there is none.
  func prepare(for injector: Injector) async throws(InjectorError)
}

/// Whether an entry is what its injector has for its key.
enum EntryStatus {
  case own
  /// Another may take its place in a moment.
  case reserved
  /// Another has taken its place, or the registration has gone. Whoever comes looks there again.
  case replaced
}
