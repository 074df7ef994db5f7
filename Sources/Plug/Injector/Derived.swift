/// The source from which a derived type gets the service that it is made from.
struct ElementSource {
  let injector: Injector
  /// The given context; `nil` for the injector's own.
  var context: ContextReference?
  /// Makes an instance from arguments, or returns `nil` if nothing is registered; `nil` without arguments.
  var make: ((Key) throws -> AnyBox?)?

  /// All implementations that apply, with their ids, or the winner alone; `nil` if nothing is registered.
  func boxes(of key: Key, areAll: Bool) throws -> [(id: String, box: AnyBox)]? {
    if let make { return try make(key).map { [(fallbackID, $0)] } }
    if areAll { return try injector.all(key, in: context) }
    guard let cell = try injector.find(key), try !injector.isAbsent(cell) else { return nil }
    return try injector.firstBox(of: cell, in: context).map { [(fallbackID, $0)] } ?? []
  }
}

extension Injector {
  /// Makes an unregistered service from registered ones.
  @inline(never)
  func derive(_ key: Key, in context: ContextReference? = nil) throws -> AnyBox {
    if let derived = try derive(key, from: ElementSource(injector: self, context: context)) { return derived }
    throw absence(of: key)
  }

  /// Makes an unregistered service from the elements of a source.
  ///
  /// - Parameter isOptional: Whether the service is absent if the source has no elements.
  func derive(_ key: Key, from source: ElementSource, isOptional: Bool = false) throws -> AnyBox? {
    if key.type == Injector.self, key.tag == nil, source.context == nil { return Box<Injector>(self) }
    guard let derivation = key.derivation else { return nil }
    let element = derivation.element
    if let boxes = try source.boxes(of: element, areAll: derivation.hasAll) { return derivation.make(boxes) }
    if !derivation.hasAll, element.derivation != nil, let inner = try derive(element, from: source, isOptional: true) {
      return derivation.make([(fallbackID, inner)])
    }
    return isOptional || !derivation.isOptional ? nil : derivation.make([])
  }

  /// Gets the service that is registered for a key or derived from registrations.
  @usableFromInline
  func boxIfRegistered(
    for key: Key, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) -> AnyBox? {
    try answering(Request(key, isOptional: true), fileID, line) { injector in
      try injector.foundIfRegistered(key)
    }
  }

  func foundIfRegistered(_ key: Key) throws -> AnyBox? {
    if let cell = try find(key), try !isAbsent(cell) { return try firstBox(of: cell) }
    return try derive(key, from: ElementSource(injector: self), isOptional: true)
  }

  /// Whether scopes register the service themselves, and none has.
  fileprivate func isAbsent(_ cell: Cell) throws -> Bool {
    guard cell.registration.recipe.needs.isAbsent else { return false }
    try ThreadStack.current.with { stack in
      try refuseCapture(of: cell.registration, in: owner(of: cell.registration), stack)
    }
    return true
  }

  /// Gets all implementations that apply in a context, by default the injector's own, with their ids; `nil` if the
  /// service is not registered.
  @usableFromInline
  func boxes(
    for key: Key, in context: ContextReference? = nil, _ fileID: StaticString = "", _ line: UInt = 0
  ) throws(InjectorError) -> [(id: String, box: AnyBox)]? {
    let request = Request(key, isOptional: true, givesContext: context != nil)
    return try answering(request, fileID, line) { injector in
      try injector.all(key, in: context)
    }
  }

  /// Gets all implementations that apply in a context, by default the injector's own, with their ids. Contributions of
  /// a scope are added to the inherited ones.
  ///
  /// - Parameter outer: The innermost injector that is searched, by default this one.
  func all(
    _ key: Key, in context: ContextReference?, from outer: Injector? = nil
  ) throws -> [(id: String, box: AnyBox)]? {
    guard let found = try (outer ?? self).find(key) else { return nil }
    if try isAbsent(found) { return [] }
    let own = try boxes(of: found, in: context, isShadowed: outer != nil)
    guard let parent = contributor(beyond: found), let inherited = try all(key, in: context, from: parent) else {
      return own
    }
    return inherited + own
  }

  /// Gets all implementations of a cell that apply.
  ///
  /// - Parameter isShadowed: Whether the cell is requested although this injector has registered the service itself.
  private func boxes(
    of cell: Cell, in given: ContextReference?, isShadowed: Bool
  ) throws -> [(id: String, box: AnyBox)] {
    var cell = cell
    for _ in 0..<Self.attemptLimit {  // As in `firstBox`.
      guard let candidates = cell.candidates else {
        return try firstBox(of: cell, in: given, isShadowed: isShadowed).map { [(fallbackID, $0)] } ?? []
      }
      if let boxes = try candidates.chooseAll(for: cell.registration, by: self, in: given) { return boxes }
      guard let next = try successor(of: cell, isShadowed) else { return [] }
      cell = next
    }
    throw failure(.replaced, cell.registration)
  }

  /// The injector whose contributions precede those of a scope; `nil` if the cell has more than contributions.
  func contributor(beyond cell: Cell) -> Injector? {
    guard cell.candidates?.areContributions == true else { return nil }
    return cell.registration.depth > 0 ? level(at: cell.registration.depth).parent : nil
  }
}
