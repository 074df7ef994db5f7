import TestSupport

@testable import Plug

extension Injector {
  /// Waits until `count` tasks wait for loads of this injector.
  func waiters(_ count: Int) async {
    while state.withLock({ $0.loads }).reduce(0, { $0 + $1.claim.withLock { $0.waiters.count } }) < count {
      await Task.yield()
    }
  }
}
