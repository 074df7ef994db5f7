import Plug
import PlugKeys

/// The conditions that several candidates share, each defined once.
extension Rule where Context == Shopper {
  /// Satisfied for premium accounts. Guests have no tier, so for them neither this rule nor its negation is satisfied.
  static var premium: Self { .equals(\.tier, .premium) }

  /// Satisfied for shoppers who have opted into unfinished features.
  static var betaTester: Self { .feature("beta") || .runsPrerelease }

  /// Satisfied for apps whose own checkout is supported.
  static var supported: Self { .atLeast(\.appVersion, "2.0.0") }

  /// Satisfied for apps with the redesigned basket, which its pre-releases do not have yet.
  static var redesigned: Self { .atLeast(\.appVersion, "3.0.0") }

  /// Satisfied for countries that goods reach without customs.
  static var withoutCustoms: Self { .oneOf(\.country, Zone.countriesWithoutCustoms) }

  private static var runsPrerelease: Self {
    Rule("runs a pre-release", of: \.appVersion) { !$0.prerelease.isEmpty }
  }
}
