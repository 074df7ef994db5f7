public import Plug
import PlugKeys

extension Injector {
  /// Evaluates a flag of the current document, and returns its value.
  ///
  /// ```swift
  /// nonisolated extension FlagKey<Bool> {
  ///   static let newCheckout = FlagKey("new-checkout", default: false)
  /// }
  ///
  /// if services.flag(.newCheckout, in: shopper) { … }
  /// ```
  ///
  /// If there is an error, or nothing decides, the value is the default of the key. It never traps, and treats a closed
  /// injector as an error.
  ///
  /// - Parameters:
  ///   - key: The flag, with the type of its value and the default.
  ///   - context: The context that the flag is evaluated in.
  /// - Returns: The value.
  @inlinable
  public func flag<Value, Context: FlagContext>(_ key: FlagKey<Value>, in context: Context) -> Value {
    do throws(InjectorError) {
      let decided = try flagsInForce().decided(key.key, in: context)
      guard let decided, let value = key.read(decided.variant.value) else { return key.defaultValue }
      expose(key.key, decided.variant.name, decided.reason, in: context)
      return value
    } catch {
      return key.defaultValue
    }
  }

  /// Evaluates a flag of the current document.
  ///
  /// - Parameters:
  ///   - key: The flag, with the type of its value and the default.
  ///   - context: The context that the flag is evaluated in.
  /// - Returns: The value, and how it came about. Its error is ``PlugFlags/FlagErrorCode/general`` if the injector is
  ///   closed.
  @inlinable
  public func evaluation<Value, Context: FlagContext>(
    of key: FlagKey<Value>, in context: Context
  ) -> FlagEvaluation<Value> {
    do throws(InjectorError) {
      let evaluation = try flagsInForce().evaluate(key, in: context)
      if let variant = evaluation.variant { expose(key.key, variant, evaluation.reason, in: context) }
      return evaluation
    } catch {
      return FlagEvaluation(key.defaultValue, error: error.description)
    }
  }

  /// Evaluates a flag of the current document, and records each step.
  ///
  /// ```swift
  /// print(services.explainFlag("checkout", in: shopper))
  /// // flag "checkout": one-click = "one-click" (TARGETING_MATCH)
  /// //   if: "one-click"
  /// //     in: true
  /// //       var country: "DE"
  /// //       ["AT", "DE"]
  /// //     "one-click"
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - context: The context that the flag is evaluated in.
  /// - Returns: The evaluation with every operand of the targeting.
  public func explainFlag<Context: FlagContext>(_ key: String, in context: Context) -> FlagExplanation {
    do throws(InjectorError) {
      return try flagsInForce().explain(key, in: context)
    } catch {
      return FlagExplanation(
        key: key, evaluation: FlagEvaluation(nil, error: error.description), source: nil, targeting: nil)
    }
  }

  /// Reports the variant that code has read, in the way in which the choice of a candidate is reported.
  @usableFromInline
  func expose<Context: FlagContext>(_ key: HashedName, _ variant: String, _ reason: FlagReason, in context: Context) {
    guard Layers.areWatched else { return }
    ContextReference.with(context) { reference in
      Layers.note(
        .decided(
          Flags.self, name: key.text, outcome: variant, isDefault: reason != .targetingMatch, reference),
        in: active)
    }
  }

  /// Returns the current document with the global attributes; within a choice, those with which the choice began.
  @usableFromInline
  func flagsInForce() throws(InjectorError) -> FlagDocument {
    let contents = try steady { () throws(InjectorError) in try get(Flags.self, fileID: "", line: 0).contents }
    return FlagDocument(contents: contents, global: try globalAttributes()?.attributes)
  }
}
