public import Plug

/// A policy for choices whose candidate cannot be made.
///
/// ```swift
/// PluginPoint<any Search, Shopper>("search") {
///   Candidate("semantic") { try SemanticSearch() }
///     .onFailure(.quarantine(after: 3, for: .seconds(60)))
///   Candidate("catalogue") { CatalogueSearch() }
/// }
/// ```
///
/// A candidate fails if its factory, or the factory of one of its dependencies, throws an error or exceeds its time
/// limit, or if a dependency is not registered. The choice throws other errors whatever the policy is: a circular or
/// captive dependency, a closed injector, a cancelled task, or an instance that must first be loaded or made on the
/// main actor. If all applicable candidates fail, the choice throws the error of the first.
///
/// If a configuration is put aside until an instance around it has been made, and then throws, the request for that
/// instance fails; see `Injection.configure(_:)`.
public struct FailurePolicy: Sendable {
  /// The conditions and the duration of a quarantine.
  struct Quarantine: Sendable {
    let failures: Int
    let duration: Duration
    /// Returns the time elapsed since a fixed moment.
    let now: @Sendable () -> Duration
  }

  let isThrowing: Bool
  let quarantine: Quarantine?

  /// The choice throws the error. This is the default.
  public static var `throw`: Self { Self(isThrowing: true, quarantine: nil) }

  /// The choice uses the next applicable candidate. The next choice tries the failed one again.
  public static var skip: Self { Self(isThrowing: false, quarantine: nil) }

  /// The choice uses the next applicable candidate. After several failures in a row, the failed candidate is in
  /// quarantine: choices skip it for some time.
  ///
  /// After the quarantine, one choice tries the candidate, while others still use the next one. If it fails again, the
  /// quarantine begins again. If it succeeds, the count of failures is reset. Overlapping failures count once. An
  /// injector and its scopes share the count, and a private copy in an isolated test has its own.
  ///
  /// - Parameters:
  ///   - failures: The number of failures in a row; at least 1.
  ///   - duration: The duration of the quarantine after the last failure.
  ///   - clock: The clock that measures the time.
  public static func quarantine(
    after failures: Int, for duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    Self(
      isThrowing: false,
      quarantine: Quarantine(failures: max(failures, 1), duration: max(duration, .zero), now: elapsed(on: clock)))
  }

  private static func elapsed(on clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

extension Candidate {
  /// Returns the candidate with a policy for its failure.
  ///
  /// - Parameter policy: Whether the request throws the error, or the next candidate replaces the failed one.
  public func onFailure(_ policy: FailurePolicy) -> Self { mappingInjection { $0.onFailure(policy) } }
}

extension Injection {
  /// Returns the injection with a policy for the failure of a candidate.
  ///
  /// The policy has no effect on a registration that no rule chooses. It has none on the default registration beside
  /// candidates either, because no other candidate follows it.
  ///
  /// - Parameter policy: Whether the request throws the error, or the next candidate replaces the failed one.
  public func onFailure(_ policy: FailurePolicy) -> Self {
    adding(policy.isThrowing ? nil : HealthGuard(policy), of: FailurePolicy.self)
  }
}
