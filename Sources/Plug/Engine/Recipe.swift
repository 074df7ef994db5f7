/// All that is needed to make one instance of a cell for one injector.
struct Recipe<Service: Sendable> {
  let cell: Cell<Service>
  let injector: Injector

  private var factory: Injection<Service>.Factory { cell.factory }

  /// Runs the factory.
  ///
  /// - Throws: What it throws, if that is an `InjectorError`; else ``InjectorError/constructionFailed(_:underlying:)``.
  func make() throws(InjectorError) -> Service {
    try reportingFailure { try factory.make(injector) }
  }

  /// Puts the configurations off to the end of the session, when all that it needs has been made.
  func deferConfigurations(of service: Service, _ context: ThreadContext) {
    guard let setup = factory.setup else { return }
    let history = context.makeHistory()
    context.deferred.append(
      Deferred { context throws(InjectorError) in
        try context.push(cell, history: history, in: injector) { () throws(InjectorError) in
          try reportingFailure { try setup.run(service, injector) }
        }
      })
  }

  func mainActorRefusal() -> InjectorError? {
    guard factory.isolation == .mainActor, !isOnMainActor() else { return nil }
    return .mainActorRequired(facts)
  }

  func checkMainActor() throws(InjectorError) {
    if let refusal = mainActorRefusal() { throw refusal }
  }

  private var facts: InjectorError.Facts {
    InjectorError.Facts(about: cell.subject, in: injector)
  }

  private func reportingFailure<Value>(_ body: () throws -> Value) throws(InjectorError) -> Value {
    do {
      return try body()
    } catch {
      throw InjectorError(reporting: error, about: cell.subject, in: injector)
    }
  }
}
