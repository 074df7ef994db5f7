import Plug
import Synchronization

/// Looks at a property whenever it may have changed: one look at a time, and none inside another.
///
/// A change during a look causes another look. So an observer always sees the newest value, and its last look sees the
/// last one.
package protocol Observer: AnyObject, Sendable {
  var looks: Looks { get }

  /// Looks at the properties that may have changed. Called without a lock.
  func see()

  /// Finishes, because nothing will change any more.
  func finish()

  /// Reacts to the closing of an injector whose properties it observes.
  func propertiesHaveEnded(_ properties: Properties)

  /// Traps, because each look makes a change itself.
  func trapWithoutEnd() -> Never
}

/// The run of an observer's looks, and the threads that wait for its end, with all transitions.
package final class Looks: Sendable {
  /// The greatest number of consecutive looks that are caused by changes of the look before.
  static let echoLimit = 100_000

  private enum Stage {
    case idle
    case looking(Run)
    /// A property has changed since the look began. The change is an echo if the look has made it.
    case mustLookAgain(Run, isEcho: Bool)
    /// No further look begins. The last one may still run.
    case over(Run?)
  }

  private struct State {
    var stage = Stage.idle
    var echoes = 0
    var waiters: [Parker] = []
  }

  private let state = Guarded(State())

  /// - Returns: The run that the caller has to make; `nil` if there is nothing to look at, or another thread looks.
  fileprivate func begin(for observer: any Observer) -> Run? {
    let current = Run.current
    return state.withLock { state in
      switch state.stage {
      case .idle:
        let run = Run(in: current, of: observer)
        state.stage = .looking(run)
        return run
      case .looking(let run): state.stage = .mustLookAgain(run, isEcho: current?.isInside(run) ?? false)
      case .mustLookAgain(let run, let isEcho):
        state.stage = .mustLookAgain(run, isEcho: isEcho || current?.isInside(run) ?? false)
      case .over: break
      }
      return nil
    }
  }

  /// Ends a look.
  ///
  /// - Returns: Whether another look follows; `nil` if the looks make changes without end.
  fileprivate func goesOn() -> Bool? {
    let (goesOn, waiters) = state.withLock { state -> (Bool?, [Parker]) in
      switch state.stage {
      case .mustLookAgain(let run, let isEcho):
        state.stage = .looking(run)
        state.echoes = isEcho ? state.echoes + 1 : 0
        return (state.echoes > Self.echoLimit ? nil : true, [])
      case .idle, .looking: (state.stage, state.echoes) = (.idle, 0)
      case .over: state.stage = .over(nil)
      }
      defer { state.waiters = [] }
      return (false, state.waiters)
    }
    for waiter in waiters { waiter.unpark() }
    return goesOn
  }

  /// Prevents further looks.
  ///
  /// - Parameter waiter: The thread to wake when the last look has ended.
  /// - Returns: Whether this is the first call, and whether the last look still runs.
  fileprivate func end(_ waiter: Parker? = nil) -> (isFirst: Bool, isRunning: Bool) {
    state.withLock { state in
      let (run, isFirst): (Run?, Bool) =
        switch state.stage {
        case .idle: (nil, true)
        case .looking(let run), .mustLookAgain(let run, _): (run, true)
        case .over(let run): (run, false)
        }
      state.stage = .over(run)
      if run != nil, let waiter { state.waiters.append(waiter) }
      return (isFirst, run != nil)
    }
  }

  var areOver: Bool { state.withLock { if case .over = $0.stage { true } else { false } } }
}

/// The consecutive looks of one thread. The code that it calls inherits them.
package final class Run: Sendable {
  @TaskLocal private static var inherited: Run?
  private static let underWay = Atomic<Int>(0)

  let observer: any Observer
  private let outer: Run?
  private let hasEnded = Atomic(false)

  fileprivate init(in outer: Run?, of observer: any Observer) {
    self.outer = outer
    self.observer = observer
  }

  /// The run that the calling task or thread is part of; `nil` if there is none or it has ended.
  static var current: Run? {
    guard underWay.load(ordering: .relaxed) > 0, let run = inherited else { return nil }
    return run.hasEnded.load(ordering: .acquiring) ? nil : run
  }

  func isInside(_ other: Run) -> Bool { self === other || outer?.isInside(other) ?? false }

  fileprivate func callAsFunction(_ body: () -> Void) {
    Self.underWay.add(1, ordering: .relaxed)
    Self.$inherited.withValue(self) {
      // The requests of observers are not dependencies of the factory that sets the property.
      if Injector.isMaking { Injector.apart(body) } else { body() }
    }
    hasEnded.store(true, ordering: .releasing)
    Self.underWay.subtract(1, ordering: .relaxed)
  }
}

extension Observer {
  func look() {
    guard let run = looks.begin(for: self) else { return }
    run {
      while true {
        see()
        switch looks.goesOn() {
        case true?: continue
        case false?: return
        case nil: trapWithoutEnd()
        }
      }
    }
  }

  /// Ends the observation, and waits for a look on another thread, unless that thread could be waiting for the caller.
  func cancel() {
    guard Run.current == nil, !Injector.isMaking else {
      _ = looks.end()
      return
    }
    let parker = Parker()
    if looks.end(parker).isRunning { parker.park() }
  }

  /// Ends the observation, because nothing will change any more.
  func end() {
    if looks.end().isFirst { finish() }
  }
}
