// Services that are loaded asynchronously, decorated or closed are Sendable. Main-actor services stay on their actor.
import Plug

final class Unshared {}
@MainActor final class Panel { func show() {} }

extension Injector {
  var panel: MainActorProvider<Panel> { provide(.lazySingleton { @MainActor in Panel() }) }
}

nonisolated func show(_ services: Injector) async throws {
  let panel = try await services.panel.load()
  await panel.show()
  #if REFUSED
    panel.show()  // error: main actor-isolated instance method 'show()'
    _ = try services.panel.get()  // error: main actor-isolated instance method 'get(_:fileID:line:)'
  #endif
}

#if REFUSED
  func unshared() async -> Injection<Unshared> {  // error: type 'Unshared' does not conform to the 'Sendable' protocol
    .lazySingleton { await Task.yield() }
  }
#endif
