import Synchronization

/// What is done to an instance that its injector releases.
package enum CloseAction: Sendable {
  /// It can be done at once, on the actor that it needs; or in a task.
  case now(@Sendable () throws -> Void, FactoryIsolation, later: @Sendable () async throws -> Void)
  case later(@Sendable () async throws -> Void)
}

/// The closing of one injector, or of what it has given up, for requests that wait for its end. It is waited for as a
/// cell is.
final class Closing: Sendable {
  let cell: Cell
  /// What is closed first, of what an injector has given up.
  let first: Registration?
  let id: UInt
  private let failures = Guarded<[InjectorError]>([])
  private let isOver = Atomic(false)
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  init(of injector: Injector, by id: UInt, first: Registration? = nil) {
    (self.id, self.first) = (id, first)
    cell = Cell(
      Registration(
        Key(Injector.self), .factory, AnyRecipe.unused, candidate: "\(injector)", depth: injector.depth,
        location: CodeLocation(fileID: "", line: 0)), maker: id)
  }

  var step: Step { Step(cell.registration, act: " (closing)") }
  var result: [InjectorError] { failures.withLock { $0.map(\.self) } }

  func end(_ failures: [InjectorError]) {
    self.failures.withLock { $0 = failures }
    isOver.store(true, ordering: .releasing)
    cell.fail(.look, by: id)
  }
}

/// Instances that are closed, the last first. Each is released when it has been closed.
final class CloseQueue: Sendable {
  typealias Closable = (registration: Registration, box: AnyBox)

  private let rest: Guarded<[Closable]>
  private let injector: InjectorError.Facts.Path
  private let observers: [ClosingObserver]

  init(_ instances: sending [Closable], of injector: Injector) {
    let isReported = instances.contains { $0.registration.isClosable }
    self.injector = isReported ? InjectorError.Facts.Path(injector) : .none
    rest = Guarded(instances)
    observers = Layers.hooks(of: injector).compactMap { $0.hook.closing(in: injector) }
  }

  var isEmpty: Bool { rest.withLock { $0.isEmpty } }
  /// What is closed next.
  var next: Registration? { rest.withLock { $0.last?.registration } }

  /// Closes what can be closed at once, up to the first instance that cannot.
  func runNow() -> [InjectorError] {
    var failures: [InjectorError] = []
    while let next = rest.withLock({ $0.popLast() }) {
      let actions = next.registration.recipe.extras?.values.closings.map { $0(next.box) } ?? []
      guard let errors = Self.run(actions) else {
        rest.withLock { $0.append(next) }
        break
      }
      failures += noting(errors.map { InjectorError.closing($0, next.registration, injector) }, of: next.registration)
    }
    return failures
  }

  /// Closes the rest.
  func run(_ deadline: Deadline, _ closing: Work?) async -> [InjectorError] {
    var failures: [InjectorError] = []
    while let next = rest.withLock({ $0.popLast() }) {
      let registration = next.registration
      let values = registration.recipe.extras?.values
      let actions = values?.closings.map { $0(next.box) } ?? []
      let limited = deadline.limited(values?.limits.closing)
      let trail = (closing?.trail ?? []) + [Step(registration, act: " (closing)")]
      let work = Work(Work.makeID(), trail: trail, keeper: .max)
      let errors = await work.run { await limited.run { await Self.runLater(actions) } }
      work.end()
      failures += noting(
        errors?.map { InjectorError.closing($0, registration, injector) }
          ?? [InjectorError.closingTimedOut(limited.limit ?? .zero, registration, injector)], of: registration)
    }
    return failures
  }

  private func noting(_ failures: [InjectorError], of registration: Registration) -> [InjectorError] {
    for observe in observers { observe(registration, failures) }
    return failures
  }

  /// - Returns: What went wrong; `nil` if it cannot be done here, and nothing has been.
  private static func run(_ actions: [CloseAction]) -> [any Error]? {
    var works: [@Sendable () throws -> Void] = []
    for action in actions {
      guard case .now(let work, let isolation, _) = action, isolation != .mainActor || isOnMainActor() else {
        return nil
      }
      works.append(work)
    }
    return works.compactMap { work in
      do {
        try work()
        return nil
      } catch {
        return error
      }
    }
  }

  private static func runLater(_ actions: [CloseAction]) async -> [any Error] {
    var errors: [any Error] = []
    for action in actions {
      do {
        switch action {
        case .now(_, _, let later), .later(let later): try await later()
        }
      } catch {
        errors.append(error)
      }
    }
    return errors
  }
}
