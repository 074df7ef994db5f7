/// The cells that an injector keeps for one entry, by arguments, whatever they make.
class AnyArgumentCells: @unchecked Sendable {
  // Soundness of the unchecked conformance: this class has no state, and its subclass states its own.

  /// Forgets cells.
  func remove(_ cells: Set<ObjectIdentifier>) {}

  /// Keeps nothing from now on that has been made before, because its instances would lack a decorator.
  ///
  /// - Returns: `false` if something is kept already.
  func beginDecorating() -> Bool { true }
}
