// Support for making every registered service once.

extension Injector {
  /// Makes an instance as a load does. Skips a service that each scope registers itself.
  ///
  /// - Parameter arguments: The values among which arguments are found by their types.
  /// - Returns: The instance, or else the name of the type of a missing argument.
  package func tryOut(
    _ cell: Cell, with arguments: [any Sendable]
  ) async throws -> (box: AnyBox?, missing: String?) {
    if cell.registration.recipe.needs.isAbsent { return (nil, nil) }
    let found: AnyBox?
    do throws(MissingArgument) {
      found = try cell.registration.key.withArguments?.box(from: arguments)
    } catch {
      return (nil, typeName(error.type))
    }
    let box = try await loading { injector in
      try found == nil ? injector.provide(cell) : injector.attempt(cell, with: found)
    }
    return (box, nil)
  }
}
