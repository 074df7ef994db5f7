// What it takes to make everything that is registered once.

extension Injector {
  /// The keys of all that is registered here and further out.
  package var visibleKeys: Set<Key> {
    get throws(InjectorError) {
      if levels.contains(where: \.isClosedItself) { throw closed(InjectorError.Facts(aboutWhole: self)) }
      return Set(levels.flatMap(\.cells).map(\.registration.key))
    }
  }

  /// The candidates that apply in a context; if none is given, in the one that this injector has.
  package func applying(_ cell: Cell, in context: (any Sendable)?) throws(InjectorError) -> [Cell] {
    let given = context.map { ContextReference(copying: $0) }
    guard var choice = try choice(of: cell, in: given, looksAtInjectors: true, isWatched: false) else { return [cell] }
    return try choice.all().map { choice.candidates.entries[$0].cell }
  }

  /// Makes an instance as a request does; nothing of what each scope registers itself.
  ///
  /// - Parameter arguments: Where arguments are looked for by their types.
  /// - Returns: The name of the type of an argument that is not there; then nothing has been made.
  package func tryOut(_ cell: Cell, with arguments: [any Sendable]) throws(InjectorError) -> String? {
    let registration = cell.registration
    if registration.recipe.needs.isAbsent { return nil }
    if let maker = registration.maker as? any ArgumentsMaker {
      return try maker.tryOut(arguments, of: cell, for: self)
    }
    _ = try provide(cell)
    return nil
  }
}

private protocol ArgumentsMaker {
  func tryOut(
    _ values: [any Sendable], of cell: Cell, for injector: Injector
  ) throws(InjectorError) -> String?
}

extension Maker: ArgumentsMaker {
  fileprivate func tryOut(
    _ values: [any Sendable], of cell: Cell, for injector: Injector
  ) throws(InjectorError) -> String? {
    let first: First
    let rest: (repeat each Rest)
    do throws(MissingArgument) {
      first = try find(First.self, in: values)
      rest = (repeat try find((each Rest).self, in: values))
    } catch {
      return typeName(error.type)
    }
    _ = try box(first, repeat each rest, of: cell, for: injector)
    return nil
  }
}

private struct MissingArgument: Error {
  let type: any Any.Type
}

private func find<Argument>(_ type: Argument.Type, in values: [any Sendable]) throws(MissingArgument) -> Argument {
  for value in values { if let argument = value as? Argument { return argument } }
  throw MissingArgument(type: type)
}
