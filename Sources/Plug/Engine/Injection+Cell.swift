extension Injection {
  /// A cell for the injection.
  @inlinable
  func makeCell(_ subject: Subject) -> Cell<Service> {
    switch self {
    case .singleton(let service):
      let cell = Cell<Service>(.unused, .singleton, subject: subject)
      cell.instance.initialize(to: service)
      return cell
    case .lazySingleton(let service?, let factory):
      let cell = Cell(factory.giving(service), .singleton, subject: subject)
      if !factory.needsSetup { cell.instance.initialize(to: service) }
      return cell
    case .lazySingleton(nil, let factory): return Cell(factory, .lazySingleton, subject: subject)
    case .weakSingleton(let factory): return Cell(factory, .weakSingleton, subject: subject)
    case .scoped(let factory): return Cell(factory, .scoped, subject: subject)
    case .graph(let factory): return Cell(factory, .graph, subject: subject)
    case .factory(let factory): return Cell(factory, .factory, subject: subject)
    }
  }
}
