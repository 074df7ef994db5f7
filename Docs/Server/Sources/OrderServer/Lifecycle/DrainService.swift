package import Plug
import ServiceLifecycle
import Web

/// Tells at `/health` that the server will stop, and gives load balancers time to read that.
///
/// A group stops its services in reverse order: place it after the server, which then stops only when this has ended.
package struct DrainService: Service {
  private let injector: Injector
  private let delay: Duration

  package init(injector: Injector, delay: Duration) {
    self.injector = injector
    self.delay = delay
  }

  package func run() async throws {
    try await gracefulShutdown()
    // A server that has not started lets nobody in, and never will.
    injector.update(Phase.self) { if $0 == .serving { $0 = .draining } }
    try await Task.sleep(for: delay)
  }
}
