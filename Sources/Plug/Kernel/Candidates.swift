/// The candidates of a cell whose registration has several implementations.
protocol Candidates: AnyObject, Sendable {
  /// The cells of the candidates, in the order in which they are chosen.
  var cells: [Cell] { get }

  /// The candidate that is chosen last: a registration without a rule.
  var fallback: Cell? { get }

  /// Returns candidates that have other cells.
  func mapping(_ change: (Cell) -> Cell) -> Self

  /// Chooses a candidate and gets its instance.
  ///
  /// - Parameters:
  ///   - service: The registration of the choice.
  ///   - context: The context of the choice; by default the injector's own.
  ///   - isOptional: Whether it is no error that no candidate applies.
  func choose(
    for service: Registration, by injector: Injector, in context: ContextReference?, isOptional: Bool
  ) throws -> Chosen

  /// Gets the instances of all candidates that apply, with their ids; `nil` if the choice has to begin again.
  func chooseAll(
    for service: Registration, by injector: Injector, in context: ContextReference?
  ) throws -> [(id: String, box: AnyBox)]?

  /// Whether all candidates apply in any context, so that a scope adds its own to those that it inherits.
  var areContributions: Bool { get }
}

/// The outcome of a choice.
enum Chosen {
  case instance(AnyBox)
  /// No candidate applies.
  case none
  /// The registration of the chosen candidate has ended, so that the choice has to begin again.
  case lost
}

/// The id of a registration without a rule, which is chosen last.
package let fallbackID = "default"
