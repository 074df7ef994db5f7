import Plug
import PlugOperations
import TestSupport

typealias FailingPoint = PluginPoint<String, Injector>

func failingPoint(
  _ fault: Fault, _ policy: FailurePolicy, _ injection: ((Fault) -> Injection<String>)? = nil
) -> FailingPoint {
  FailingPoint("search") {
    Candidate("semantic", injection?(fault) ?? .factory { try fault.make("semantic") }).onFailure(policy)
    Candidate("catalogue") { "catalogue" }
  }
}
