public import Plug

/// What becomes of a choice if the chosen candidate cannot be made.
///
/// ```swift
/// PluginPoint<any Search, Shopper>("search") {
///   Candidate("semantic") { try SemanticSearch() }
///     .onFailure(.quarantine(after: 3, for: .seconds(60)))
///   Candidate("catalogue") { CatalogueSearch() }
/// }
/// ```
///
/// A candidate has failed if its factory, or that of a service it needs, throws an error or exceeds its time limit, or
/// if such a service is not registered. Other errors are thrown whatever the policy is: a circular dependency, a
/// captive dependency, an injector that is closed, a task that is cancelled, and an instance that has to be made on the
/// main actor or loaded first. If all candidates that apply have failed, the choice throws the error of the first.
///
/// A configuration that runs only at the end of a larger request, see `Injection.configure(_:)`, fails that request.
public struct FailurePolicy: Sendable {
  /// When a candidate is not tried any more.
  struct Quarantine: Sendable {
    let failures: Int
    let duration: Duration
    /// How much time has passed since some moment.
    let now: @Sendable () -> Duration
  }

  let isThrowing: Bool
  let quarantine: Quarantine?

  /// The choice throws the error. That is the policy of candidates without one.
  public static var `throw`: Self { Self(isThrowing: true, quarantine: nil) }

  /// The choice falls on the next candidate that applies, this time. The next choice tries again.
  public static var skip: Self { Self(isThrowing: false, quarantine: nil) }

  /// The choice falls on the next candidate; after several failures in a row, the candidate is not tried for a while.
  ///
  /// When that time is over, one choice tries it, while others still fall on the next candidate. If it fails again, the
  /// time begins anew; if it succeeds, all failures are forgotten. Failures of choices that overlap count once. All
  /// scopes of an injector have one count, and a private copy in an isolated test has its own.
  ///
  /// - Parameters:
  ///   - failures: How many failures in a row; at least 1.
  ///   - duration: How long it is not tried after the last of them.
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
  /// Returns the candidate with what becomes of a choice if it cannot be made.
  ///
  /// - Parameter policy: Whether the request throws the error, or the next candidate takes the place of the failed one.
  public func onFailure(_ policy: FailurePolicy) -> Self { mappingInjection { $0.onFailure(policy) } }
}

extension Injection {
  /// Returns the injection with a policy for the failure of a candidate.
  ///
  /// The policy has no effect on a registration that no rule chooses. It has none on the default registration beside
  /// candidates either, because no other candidate follows it.
  ///
  /// - Parameter policy: Whether the request throws the error, or the next candidate takes the place of the failed one.
  public func onFailure(_ policy: FailurePolicy) -> Self {
    adding(policy.isThrowing ? nil : HealthGuard(policy: policy), of: FailurePolicy.self)
  }
}
