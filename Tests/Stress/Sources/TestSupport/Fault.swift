package import Plug
package import PlugOperations

package struct Boom: Error, CustomStringConvertible {
  package init() {}

  package var description: String { "boom" }
}

/// A switch that makes the factories of candidates fail.
package final class Fault: Sendable {
  private let state = Locked((isOn: true, tries: 0))

  package init() {}

  package var isOn: Bool {
    get { state.withLock { $0.isOn } }
    set { state.withLock { $0.isOn = newValue } }
  }

  package var tries: Int { state.withLock { $0.tries } }

  package func make(_ value: String) throws -> String {
    let isOn = state.withLock { state in
      state.tries += 1
      return state.isOn
    }
    if isOn { throw Boom() }
    return value
  }
}

package typealias FailingPoint = PluginPoint<String, Injector>

package func failingPoint(
  _ fault: Fault, _ policy: FailurePolicy, _ injection: ((Fault) -> Injection<String>)? = nil
) -> FailingPoint {
  FailingPoint("search") {
    Candidate("semantic", injection?(fault) ?? .factory { try fault.make("semantic") }).onFailure(policy)
    Candidate("catalogue") { "catalogue" }
  }
}
