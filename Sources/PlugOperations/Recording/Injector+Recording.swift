public import Plug

extension Injector {
  /// Records the requests of closures from now on, so that `validate()` and ``graph()`` know the dependencies of
  /// closures that have run.
  ///
  /// ```swift
  /// services.recordDependencies()
  /// try await services.start()
  /// try services.validate(strict: true)
  /// ```
  ///
  /// Call it where the services are registered, in a debug build or in the test that validates, because earlier runs
  /// are not recorded. The dependencies of a closure without an injector and of a `wiring:` initializer are known
  /// without it. The record of a closure consists of its first hundred successful runs.
  ///
  /// Scopes of the injector and its copies in isolated tests record, too. From then on, requests in the injector and
  /// its scopes take a slower path.
  ///
  /// - Returns: The injector.
  @discardableResult
  public func recordDependencies() -> Injector {
    let injector = active
    if injector.levels.contains(where: { $0.attachment(Recording.self) != nil }) { return self }
    if let recording = injector.updateAttachment(Recording.self, { $0 ?? Recording() }) {
      Layers.install(recording, in: injector)
    }
    return self
  }
}
