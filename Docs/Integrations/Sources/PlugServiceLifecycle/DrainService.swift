public import Plug
import PlugKeys
public import ServiceLifecycle

/// Sets the phase of a server to draining at a graceful shutdown, and gives load balancers time to notice.
///
/// A group stops its services in reverse order. Place this service after the server, so that the server continues until
/// the delay is over.
public struct DrainService: Service {
  private let injector: Injector
  private let delay: Duration

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - injector: The injector that has the ``Phase``.
  ///   - delay: The time between the signal and the end of this service.
  public init(injector: Injector, delay: Duration) {
    self.injector = injector
    self.delay = delay
  }

  /// Runs until a graceful shutdown, and then for the delay.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func run() async throws {
    try await gracefulShutdown()
    // A server that has not started admits no requests, and never will.
    injector.update(Phase.self) { if $0 == .serving { $0 = .draining } }
    try await Task.sleep(for: delay)
  }
}
