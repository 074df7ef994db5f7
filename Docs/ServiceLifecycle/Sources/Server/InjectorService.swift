import Plug
import ServiceLifecycle

/// Starts an injector, then runs what needs it, and closes the injector when that has ended.
struct InjectorService: Service {
  let injector: Injector

  /// Runs while the injector is started: a server, or a group of services.
  let service: any Service

  /// How long each instance may take to be made, and to be closed.
  var timeout: Duration = .seconds(10)

  func run() async throws {
    do {
      try await cancelWhenGracefulShutdown { try await injector.start(timeout: timeout) }
    } catch {
      // A signal may come before everything is made; what was made is closed again.
      if Task.isShuttingDownGracefully { return }
      throw error
    }
    do {
      try await service.run()
    } catch {
      await injector.close(timeout: timeout)
      throw error
    }
    if let failure = await injector.close(timeout: timeout).first { throw failure }
  }
}
