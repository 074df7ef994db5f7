import Plug

/// The conditions that more than one candidate depends on, each defined once.
extension Rule where Context == Shopper {
  /// Satisfied by premium accounts. Guests have no tier, so that for them neither this nor its negation is satisfied.
  static var premium: Self { .equals(\.tier, .premium) }

  /// Satisfied by those who have chosen to try what is not finished.
  static var betaTester: Self { .feature("beta") || .runsPrerelease }

  /// Satisfied by apps that are no longer supported.
  static var outdated: Self { !.atLeast(\.appVersion, SemanticVersion(2, 0, 0)) }

  /// Satisfied by apps that have the redesigned basket; its pre-releases do not have it yet.
  static var redesigned: Self { .atLeast(\.appVersion, SemanticVersion(3, 0, 0)) }

  /// Satisfied where goods arrive without customs.
  static var withoutCustoms: Self { .oneOf(\.country, Zone.countriesWithoutCustoms) }

  private static var runsPrerelease: Self {
    Rule("runs a pre-release", of: \.appVersion) { !$0.prerelease.isEmpty }
  }
}
