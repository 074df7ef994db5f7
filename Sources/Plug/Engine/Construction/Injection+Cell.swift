extension Injection {
  /// A cell for the injection.
  @inlinable
  func makeCell(_ declaration: Declaration) -> Cell<Service> {
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
