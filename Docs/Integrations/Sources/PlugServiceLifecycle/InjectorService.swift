public import Logging
public import Plug
import PlugKeys
public import ServiceLifecycle
public import UnixSignals

/// Starts an injector beside the services that use it, and closes it after they have ended.
///
/// ```swift
/// let drain = DrainService(injector: services, delay: .seconds(5))
/// let server = InjectorService(
///   injector: services,
///   service: ServiceGroup(services: [application, drain], logger: logger))
/// try await server.runService(logger: logger)
/// ```
///
/// ``runService(gracefulShutdownSignals:logger:)`` handles SIGTERM and SIGINT. ``run()`` handles no signal: call it
/// from a group that does, or a signal ends the process before anything is closed.
///
/// A group cancels all of its services when one of them fails. If the injector were one of them, it could close while
/// requests still run. So this service wraps the others, and closes the injector after all of them have ended for any
/// reason. The services run while the injector starts, so that a server can report its health meanwhile: see ``Phase``.
public struct InjectorService: Service {
  private let injector: Injector
  private let service: any Service
  private let timeout: Duration

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - injector: The injector to start and to close.
  ///   - service: The service that uses the injector: a server, or a group of services.
  ///   - timeout: How long each instance may take to be made, and to be closed.
  public init(injector: Injector, service: any Service, timeout: Duration = .seconds(10)) {
    self.injector = injector
    self.service = service
    self.timeout = timeout
  }

  /// Runs until the service has ended and the injector is closed.
  ///
  /// It stops at a graceful shutdown of the group that it belongs to, or when its task is cancelled.
  ///
  /// A graceful shutdown during the start ends the start without an error.
  ///
  /// - Throws: The error of the service, of the start, or of the first closing that fails.
  public func run() async throws {
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await service.run() }
        group.addTask { try await start() }
        // Not `waitForAll()`, which reports no error before everything has ended.
        for try await _ in group {}
      }
    } catch {
      await injector.close(timeout: timeout)
      throw error
    }
    if let failure = await injector.close(timeout: timeout).first { throw failure }
  }

  /// Runs the program until a signal has shut down the service, and the injector is closed.
  ///
  /// ```swift
  /// try await InjectorService(injector: services, service: application).runService()
  /// ```
  ///
  /// - Parameters:
  ///   - gracefulShutdownSignals: The signals at which the service stops.
  ///   - logger: The logger of the group that handles the signals.
  /// - Throws: The error of the service, of the start, or of the first closing that fails.
  public func runService(
    gracefulShutdownSignals: [UnixSignal] = [.sigterm, .sigint], logger: Logger = .current
  ) async throws {
    try await ServiceGroup(services: [self], gracefulShutdownSignals: gracefulShutdownSignals, logger: logger).run()
  }

  private func start() async throws {
    do {
      try await cancelWhenGracefulShutdown { try await injector.start(timeout: timeout) }
      injector[Phase.self] = .serving
      // This line handles a signal that has arrived earlier. A later one finds the server serving.
      if Task.isShuttingDownGracefully { injector[Phase.self] = .draining }
    } catch {
      // A signal may arrive during the start. It ends the service without an error.
      if !Task.isShuttingDownGracefully { throw error }
    }
  }
}
