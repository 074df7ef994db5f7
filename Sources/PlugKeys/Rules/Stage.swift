public import Plug

/// What a program has been launched for: a ``Property`` that rules ask for.
///
/// ```swift
/// try services.register(as: Prices.self) { LivePrices() }
/// try services.register(
///   as: Prices.self, injectable: .lazySingleton { FixedPrices(3) },
///   when: .stage(.preview, .test))
/// ```
///
/// It is `test` in a process that runs tests, `preview` in a preview of Xcode and in `Injector.preview(_:)`, and else
/// `production`, until your code sets it: `services[Stage.self] = .debug`. Each injector has its own, and its scopes
/// inherit it.
public enum Stage: String, Property {
  /// Users run it.
  case production

  /// Developers run it.
  case debug

  /// A preview shows a part of it.
  case preview

  /// Tests run it.
  case test

  /// What the program has been launched for, as far as that is known.
  public static var defaultValue: Self {
    if Sandbox.current?.isPreview == true || environmentVariable("XCODE_RUNNING_FOR_PREVIEWS") == "1" {
      return .preview
    }
    return isTestProcess ? .test : .production
  }
}

extension Rule where Context == Injector {
  /// Satisfied if the injector that is asked is in one of some stages.
  ///
  /// A rule about another context can look at the stage too:
  /// `.property(Stage.self, .debug) && .equals(\.country, "DE")`.
  ///
  /// - Parameters:
  ///   - stage: The stage.
  ///   - others: Others that satisfy the rule as well.
  public static func stage(_ stage: Stage, _ others: Stage...) -> Self {
    others.reduce(.property(Stage.self, stage)) { $0 || .property(Stage.self, $1) }
  }
}
