package import Plug
import PlugKeys
package import ServiceLifecycle
package import Web

/// Starts an injector next to what needs it, and closes it when that has ended.
///
/// A group of services cancels them all at once when one of them fails. So the injector is not one service among
/// others: it wraps them, and is closed after their last request, whatever ended them.
package struct InjectorService: Service {
  private let injector: Injector
  private let service: any Service
  private let timeout: Duration

  /// - Parameters:
  ///   - service: Runs while the injector is started and open: a server, or a group of services.
  ///   - timeout: How long each instance may take to be made, and to be closed.
  package init(injector: Injector, service: any Service, timeout: Duration = .seconds(10)) {
    self.injector = injector
    self.service = service
    self.timeout = timeout
  }

  package func run() async throws {
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await service.run() }
        group.addTask { try await start() }
        // Not `waitForAll()`, which would not tell of an error before everything has ended.
        for try await _ in group {}
      }
    } catch {
      await injector.close(timeout: timeout)
      throw error
    }
    if let failure = await injector.close(timeout: timeout).first { throw failure }
  }

  private func start() async throws {
    do {
      try await cancelWhenGracefulShutdown { try await injector.start(timeout: timeout) }
      injector[Phase.self] = .serving
      // A signal that came before is not overlooked: one that comes later finds the server serving.
      if Task.isShuttingDownGracefully { injector[Phase.self] = .draining }
    } catch {
      // A signal may come before everything is made, and ends the service as usual.
      if !Task.isShuttingDownGracefully { throw error }
    }
  }
}

extension Phase: Property {
  package static var defaultValue: Phase { .starting }
}
