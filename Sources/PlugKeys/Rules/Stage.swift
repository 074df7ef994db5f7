public import Plug

/// The purpose of a program's launch, as a ``Property`` that rules can look at.
///
/// ```swift
/// try services.register(Prices.self) { LivePrices() }
/// try services.contribute(
///   (any Prices).self, .lazySingleton { FixedPrices(3) },
///   when: .stage(.preview, .test))
/// ```
///
/// The stage is `test` in a process that runs tests, `preview` in an Xcode preview and in `Injector.preview(_:)`, and
/// otherwise `production`, until your code sets it: `services[Stage.self] = .debug`. Each injector has a stage of its
/// own, which its scopes inherit.
public enum Stage: String, Property {
  /// A program that users run.
  case production

  /// A program that developers run.
  case debug

  /// A preview.
  case preview

  /// A test.
  case test

  /// The stage that Plug detects.
  public static var defaultValue: Self {
    if Layers.redirection?.isPreview == true || environmentVariable("XCODE_RUNNING_FOR_PREVIEWS") == "1" {
      return .preview
    }
    return isTestProcess ? .test : .production
  }
}

extension Rule where Context == Injector {
  /// Satisfied if the injector that makes the choice is in one of the given stages.
  ///
  /// In a rule with another context, combine the property itself:
  /// `.property(Stage.self, .debug) && .equals(\.country, "DE")`.
  ///
  /// - Parameters:
  ///   - stage: The stage.
  ///   - others: Other stages that satisfy the rule.
  public static func stage(_ stage: Stage, _ others: Stage...) -> Self {
    others.reduce(.property(Stage.self, stage)) { $0 || .property(Stage.self, $1) }
  }
}
