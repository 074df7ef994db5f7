import Testing

@testable import Plug

struct Boom: Error, CustomStringConvertible {
  var description: String { "boom" }
}

/// What makes candidates fail.
final class Fault: Sendable {
  private let state = Guarded((isOn: true, tries: 0))

  var isOn: Bool {
    get { state.withLock { $0.isOn } }
    set { state.withLock { $0.isOn = newValue } }
  }

  var tries: Int { state.withLock { $0.tries } }

  func make(_ value: String) throws -> String {
    let isOn = state.withLock { state in
      state.tries += 1
      return state.isOn
    }
    if isOn { throw Boom() }
    return value
  }
}

typealias FailingPoint = PluginPoint<String, Injector>

func failingPoint(
  _ fault: Fault, _ policy: FailurePolicy, _ injection: ((Fault) -> Injection<String>)? = nil
) -> FailingPoint {
  FailingPoint("search") {
    Candidate("semantic", injection?(fault) ?? .factory { try fault.make("semantic") }).onFailure(policy)
    Candidate("catalogue") { "catalogue" }
  }
}

extension Injector {
  /// What is said of the first candidate.
  func semantic() throws -> Explanation.Element {
    try #require(explain(String.self, in: self).elements.first?.elements.first)
  }
}
