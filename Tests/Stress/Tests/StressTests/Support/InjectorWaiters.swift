import TestSupport

@testable import Plug

extension Injector {
  /// Waits until so many tasks wait for what is being loaded here.
  func waiters(_ count: Int) async {
    while state.withLock({ $0.loads }).reduce(0, { $0 + $1.claim.withLock { $0.waiters.count } }) < count {
      await Task.yield()
    }
  }
}
