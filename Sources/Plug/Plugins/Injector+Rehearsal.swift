// Support for making every registered service once.

extension Injector {
  /// The candidates that apply in a context, by default in the context that this injector provides.
  package func applying(_ cell: Cell, in context: (any Sendable)?) throws(InjectorError) -> [Cell] {
    let given = context.map { ContextReference(copying: $0) }
    guard var choice = try choice(of: cell, in: given, looksAtInjectors: true, isWatched: false) else { return [cell] }
    return try choice.all().map { choice.candidates.entries[$0].cell }
  }

  /// Makes an instance as a load does. Skips a service that each scope registers itself.
  ///
  /// - Parameter arguments: The values among which arguments are found by their types.
  /// - Returns: The name of the type of a missing argument, in which case nothing has been made.
  package func tryOut(_ cell: Cell, with arguments: [any Sendable]) async throws(InjectorError) -> String? {
    try await loading { injector throws(InjectorError) in try injector.tryOutNow(cell, with: arguments) }
  }

  private func tryOutNow(_ cell: Cell, with arguments: [any Sendable]) throws(InjectorError) -> String? {
    let registration = cell.registration
    if registration.recipe.needs.isAbsent { return nil }
    let found: AnyBox?
    do throws(MissingArgument) {
      found = try registration.key.withArguments?.box(from: arguments)
    } catch {
      return typeName(error.type)
    }
    _ = try found == nil ? provide(cell) : attempt(cell, with: found)
    return nil
  }
}
