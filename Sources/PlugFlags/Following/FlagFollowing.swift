/// Puts each new document of a sequence into force, until it is cancelled or released.
///
/// See `Injector.follow(_:onFailure:)`. It can be used from any thread.
public final class FlagFollowing: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) {
    self.task = task
  }

  deinit { task.cancel() }

  /// Ends it. The last document stays in force.
  ///
  /// A document that is being put into force on another thread at this moment still is.
  public func cancel() { task.cancel() }
}
