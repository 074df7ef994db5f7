public import Plug

extension Injector {
  /// Records from now on what closures ask for, so that `validate()` and ``graph()`` know it once they have run.
  ///
  /// ```swift
  /// services.recordDependencies()
  /// try await services.start()
  /// try services.validate(.strict)
  /// ```
  ///
  /// Call it where the services are registered, in a debug build or in the test that validates: what has run before is
  /// not known. A closure without an injector asks for nothing, and a `wiring:` initializer for its parameters; both
  /// are known anyway. What the first hundred runs of a closure ask for counts, of runs that succeed.
  ///
  /// Scopes of the injector, and its copies in isolated tests, record too. Requests in the injector and its scopes take
  /// a slower path from then on.
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
