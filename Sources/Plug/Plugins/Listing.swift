// Lists candidates without making them, and makes one by its id.

extension Choice {
  /// All candidates and whether they apply. Those that do come first, in their order.
  package mutating func listed() throws -> [(Entry, Bool)] {
    passUntried()
    let (chosen, entries) = (try all(), candidates.entries)
    var applies = Array(repeating: false, count: entries.count)
    for position in chosen { applies[position] = true }
    return chosen.map { (entries[$0], true) } + entries.indices.filter { !applies[$0] }.map { (entries[$0], false) }
  }
}

extension [Choice] {
  /// Makes the candidate with an id in the last of the choices that has it.
  ///
  /// - Parameter facts: The facts about the request, if it fails.
  /// - Returns: The instance and its registration. There is no instance if the registration has ended meanwhile.
  fileprivate func box(
    candidate id: String, _ facts: InjectorError.Facts
  ) throws -> (box: AnyBox?, registration: Registration) {
    guard var choice = last(where: { $0.candidates.entries.contains { $0.id == id } }) else {
      var facts = facts
      facts.values.nearestName = NearestName(to: id, among: flatMap(\.candidates.entries).map(\.suggestion))
      throw InjectorError.notRegistered(facts)
    }
    let entries = choice.candidates.entries
    choice.rare.orMade.passed = Set(entries.indices.filter { entries[$0].id != id })
    let box = try choice.makeFirst(isDrawn: false)
    if box == nil, !choice.hasLost { throw choice.failure(facts) }
    return (box, choice.candidate.cell.registration)
  }
}

extension Injector {
  /// The choices among all implementations of a service, in the order of `getAll`. A registration without candidates
  /// is a choice of one.
  package func choices(of key: Key, in context: ContextReference?) throws -> [Choice] {
    var (choices, next): ([Choice], Injector?) = ([], self)
    while let injector = next, let cell = try injector.find(key), !cell.registration.recipe.needs.isAbsent {
      let own = try cell.selector?.choice(for: cell.registration, by: self, in: context)
      let single = Selector(name: typeName(key.type), for: Self.self, [], fallback: cell).order
      choices.insert(own ?? Choice(single, cell.registration, in: ContextReference(holding: self), for: self), at: 0)
      next = contributor(beyond: cell)
    }
    return choices
  }

  /// Gets the implementation with an id, if it applies in a context, by default the injector's own.
  package func box(
    for key: Key, candidate id: String, in context: ContextReference?, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) -> AnyBox {
    try answering(Request(key, givesContext: context != nil), fileID, line) { injector in
      guard var registration = try injector.find(key)?.registration else { throw injector.absence(of: key) }
      let facts = InjectorError.Facts(about: key, candidate: id, in: injector)
      for _ in 0..<Self.attemptLimit {  // As in `firstBox`.
        let found = try injector.choices(of: key, in: context).box(candidate: id, facts)
        if let box = found.box { return box }
        registration = found.registration
      }
      throw injector.failure(.replaced, registration)
    }
  }
}

extension PluginPoint {
  /// Gets the candidate with an id, if it applies.
  package func box(candidate id: String, in context: ContextReference) throws -> AnyBox {
    let choice = choice(in: context)
    let found = try [choice].box(candidate: id, facts(candidate: id, at: location))
    if let box = found.box { return box }
    throw choice.injector.failure(.replaced, found.registration)
  }
}
