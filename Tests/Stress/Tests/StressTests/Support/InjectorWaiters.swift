import TestSupport

@testable import Plug

extension Injector {
  /// Waits until so many tasks wait for what is being loaded here.
  func waiters(_ count: Int) async {
    while instanceStore.withLock({ $0.known?.loads.keys ?? [] }).reduce(0, { $0 + $1.waiterCount })
      < count
    {
      await Task.yield()
    }
  }
}
