/// What chooses among candidates, whatever the types of the service and of the context are.
protocol CandidateChoice: AnyEntry {
  /// The candidates that apply in a context, or in the one that is registered, if none is given.
  ///
  /// - Returns: `nil` if contexts of another type choose.
  func applying(in context: (any Sendable)?, for injector: Injector) throws(InjectorError) -> [any EntryPart]?

  /// The candidates that apply in no context: their rules are never satisfied, or they are disabled.
  func excluded(for injector: Injector) -> [any EntryPart]
}

extension Selector: CandidateChoice {
  func applying(in given: (any Sendable)?, for injector: Injector) throws(InjectorError) -> [any EntryPart]? {
    let context = given == nil ? try context(from: injector) : given as? Context
    guard let context else { return nil }
    return try overseenChoices(in: context, for: injector).map { candidates[$0.place].cell }
  }

  func excluded(for injector: Injector) -> [any EntryPart] {
    let disabled = switched(for: injector).disabled
    return candidates.enumerated().filter { $1.constant == false || disabled.contains($0) }.map(\.element.cell)
  }
}
