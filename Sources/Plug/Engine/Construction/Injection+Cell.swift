extension Injection {
  /// A cell for the injection.
  @inlinable
  func makeCell(_ declaration: consuming Declaration) -> Cell<Service> {
    switch self {
    case .singleton(let service):
      let cell = Cell<Service>(.unused, .singleton, declaration: declaration)
      cell.instance.initialize(to: service)
      return cell
    case .lazySingleton(let service?, let factory):
      let cell = Cell(factory.giving(service), .singleton, declaration: declaration)
      if !factory.needsSetup { cell.instance.initialize(to: service) }
      return cell
    case .lazySingleton(nil, let factory): return Cell(factory, .lazySingleton, declaration: declaration)
    case .weakSingleton(let factory): return Cell(factory, .weakSingleton, declaration: declaration)
    case .scoped(let factory): return Cell(factory, .scoped, declaration: declaration)
    case .graph(let factory): return Cell(factory, .graph, declaration: declaration)
    case .factory(let factory): return Cell(factory, .factory, declaration: declaration)
    }
  }
}

extension Injection.Factory.Core {
  /// See `AnyEntry.isRecorded`.
  var isRecorded: Bool {
    switch knowledge {
    case .none, .wired, .absent: isDecorated
    case .opaque, .declared: true
    }
  }

  /// See `Entry.direct`.
  func direct(for lifetime: Lifetime) -> UnsafeRawPointer? {
    unsafe isDirect(for: lifetime) ? UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) : nil
  }
}

private let unusedCore = Injection<Never>.Factory.Core(.unused, knowledge: .none)

extension Injection.Factory {
  /// The factory of a cell that has its instance from the beginning. It never runs. All services share one core, so
  /// that an instance that is handed in takes none.
  ///
  /// Soundness of the cast: a core consists of closures, references and numbers, which lie in the same places for every
  /// service; and nothing is in this one but the closure, which throws before it would give an instance.
  @usableFromInline static var unused: Self { Self(unsafe unsafeBitCast(unusedCore, to: Core.self)) }
}
