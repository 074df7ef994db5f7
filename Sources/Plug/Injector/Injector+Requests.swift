// How a request finds the registration that answers it.

/// The next step of a request in code that knows the service's type.
@usableFromInline
enum Answer {
  case instance(AnyBox)
  /// A factory to call, if nothing else has to be done. A frame has been entered for it.
  case factory(Cell, ThreadStack)
}

extension Injector {
  /// Gets an instance that the first look-up has not found. Only this is specialised for a service in a user's module.
  @inlinable @inline(never)
  func getOnLongWay<Service: Sendable>(
    _ service: Service.Type, _ tag: Tag?, _ fileID: StaticString, _ line: UInt
  ) throws(InjectorError) -> Service {
    do {
      switch try answer(Key(service, tag), fileID, line) {
      case .instance(let box): return box.open()
      case .factory(let cell, let thread):
        let service: Service
        do {
          service = try cell.registration.recipe.typed(as: Service.self).factory(self)
        } catch {
          throw fail(error, cell.registration, thread)
        }
        try end(thread)
        return service
      }
    } catch {
      throw error.asked(at: fileID, line)
    }
  }

  @usableFromInline
  func answer(_ key: Key, _ fileID: StaticString, _ line: UInt) throws -> Answer {
    if key.tag == nil, let cell = shortWay.slot(of: key.type)?.cell { return try step(for: cell) }
    if let other = redirected(fileID, line) { return .instance(try other.box(for: key)) }
    if Layers.areHooked(self) { return .instance(try box(for: key)) }
    // Most requests end here: the instance alone is retained, not its cell.
    switch isScope ? .nothing : state.withLock({ $0.find(key) }) {
    case .instance(let box): return .instance(box)
    case .cell(let cell): return try step(for: cell)
    case .nothing: break
    }
    guard let cell = try find(key) else { return .instance(try derive(key)) }
    return try step(for: cell)
  }

  @inline(__always) private func step(for cell: consuming Cell) throws -> Answer {
    if cell.registration.isPlainFactory { return .factory(cell, try begin(cell.registration)) }
    return .instance(try provide(cell))
  }

  /// Finds the registration of a key for a call that ends with an error for users.
  package func cell(of key: Key) throws(InjectorError) -> Cell? { try InjectorError.entering { try find(key) } }

  /// Finds the registration of a key, or throws the error for one that is missing.
  ///
  /// - Parameter isOverride: Whether a test overrides the registration.
  package func existingCell(of key: Key, isOverride: Bool = false) throws(InjectorError) -> Cell {
    guard let cell = try cell(of: key) else { throw absence(of: key, isOverride ? .isOverride : nil) }
    return cell
  }

  /// Returns the calling test's copy of this injector.
  ///
  /// - Parameter key: The key to change, for the error.
  package func isolatedForChange(of key: Key) throws(InjectorError) -> Injector {
    guard let redirection = Layers.redirection else { throw .notIsolated(InjectorError.Facts(about: key, in: self)) }
    return redirection.copy(of: self)
  }

  /// Gets an instance in its box.
  func box(for key: Key) throws -> AnyBox {
    if key.tag == nil, let cell = shortWay.slot(of: key.type)?.cell { return try provide(cell) }
    if let other = redirected() { return try other.box(for: key) }
    return try Layers.answering(Request(key), by: self) {
      if let cell = try find(key) { try provide(cell) } else { try derive(key) }
    }
  }

  /// Gets the instance of a cell for this injector, or of the winner in a context, by default the injector's own.
  package func provide(_ cell: Cell, in given: ContextReference? = nil) throws -> AnyBox {
    if cell.candidates == nil, let box = try attempt(cell) { return box }
    if let box = try firstBox(of: cell, in: given, isOptional: false) { return box }
    return try derive(cell.registration.key, in: given)
  }

  /// Gets the winner in a context.
  @usableFromInline
  func chosenBox(
    for key: Key, in context: ContextReference, _ fileID: StaticString, _ line: UInt
  ) throws -> AnyBox {
    if key.tag == nil, let cell = shortWay.slot(of: key.type)?.cell { return try provide(cell, in: context) }
    if let other = redirected(fileID, line) { return try other.chosenBox(for: key, in: context, fileID, line) }
    return try Layers.answering(Request(key, givesContext: true), by: self) {
      guard let cell = try find(key) else { return try derive(key, in: context) }
      return try provide(cell, in: context)
    }
  }

  /// Gets an instance, and loads its missing dependencies.
  @usableFromInline
  func loadedBox(
    for key: Key, _ fileID: StaticString = "", _ line: UInt = 0
  ) async throws(InjectorError) -> AnyBox {
    try await loading(fileID, line) { injector in try injector.box(for: key) }
  }

  /// Loads a service for a call in users' code.
  package func loading(
    _ fileID: StaticString, _ line: UInt, _ ask: @Sendable (Injector) throws -> AnyBox
  ) async throws(InjectorError) -> AnyBox {
    do {
      return try await active(fileID, line).loading(nil, ask)
    } catch {
      throw error.asked(at: fileID, line)
    }
  }
}

extension Injector.State {
  fileprivate enum Found { case instance(AnyBox), cell(Cell), nothing }

  /// The result of a request for a key in an injector that is not a scope.
  @inline(__always) fileprivate func find(_ key: Key) -> Found {
    guard let cell = cell(of: key) else { return .nothing }
    return cell.published.box.map { .instance($0) } ?? .cell(cell)
  }
}
