/// The methods by which a layer sees the requests of an injector and of the scopes in it. Each has a default that does
/// nothing, and an injector without hooks pays nothing.
package protocol Hooks: Attachment {
  /// Whether the hooks receive events. If none does, requests are as fast as without hooks.
  var seesRequests: Bool { get }

  /// Receives an event. No lock is held.
  func note(_ event: KernelEvent, in injector: Injector)

  /// Returns an observer of the instances that an injector closes. It may run after the injector has been released.
  func closing(in injector: Injector) -> ClosingObserver?
}

package typealias ClosingObserver = @Sendable (Registration, [any Error]) -> Void

package enum KernelEvent {
  /// A request has ended.
  case answered(Request, (any Error)?)
  /// A factory, with the decorators of its instance, or a configuration begins to run.
  case running(Registration, isConfiguring: Bool)
  /// The factory or configuration has returned, after the duration, or has thrown.
  case ran(Registration, isConfiguring: Bool, Duration?)
}

/// A request to an injector.
package struct Request: Sendable {
  package let key: Key
  /// Whether the service may be absent.
  var isOptional = false
  /// Whether the caller passed the context of the choice.
  var givesContext = false

  init(_ key: Key, isOptional: Bool = false, givesContext: Bool = false) {
    (self.key, self.isOptional, self.givesContext) = (key, isOptional, givesContext)
  }
}

extension Hooks {
  package var seesRequests: Bool { true }
  package func note(_ event: KernelEvent, in injector: Injector) {}
  package func closing(in injector: Injector) -> ClosingObserver? { nil }
}
