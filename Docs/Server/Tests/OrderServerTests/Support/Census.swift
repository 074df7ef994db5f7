import Shop
import Synchronization

/// Counts the units of work that have been made, and the units that are alive.
final class Census: Sendable {
  private struct Weak: Sendable {
    weak let unit: UnitOfWork?
  }

  private struct State {
    var made = 0
    var units: [Weak] = []
  }

  private let state = Mutex(State())

  var made: Int { state.withLock { $0.made } }

  var alive: Int { state.withLock { $0.units.count { $0.unit != nil } } }

  func counting(_ unit: UnitOfWork) -> UnitOfWork {
    state.withLock { state in
      state.made += 1
      if state.made.isMultiple(of: 1000) { state.units.removeAll { $0.unit == nil } }
      state.units.append(Weak(unit: unit))
    }
    return unit
  }
}
