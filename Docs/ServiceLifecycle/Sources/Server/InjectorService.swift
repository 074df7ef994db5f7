import Plug
import ServiceLifecycle

/// Starts an injector together with a group of services, and closes it after those that stand behind it in the group.
struct InjectorService: Service {
  let injector: Injector

  /// How long each instance may take to be made, and to be closed.
  var timeout: Duration = .seconds(10)

  func run() async throws {
    try await injector.start(timeout: timeout)
    // Throws when the group is cancelled; then the instances are closed too.
    try? await gracefulShutdown()
    let failures = await injector.close(timeout: timeout)
    if let first = failures.first { throw first }
  }
}
