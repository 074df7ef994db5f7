/// Puts each new document of a sequence into force, until it is cancelled or released.
///
/// See `Injector.follow(_:named:flagSet:beginningWith:onFailure:)`. It can be used from any thread.
public final class FlagFollowing: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }

  /// Ends it. The last document stays in force until another source that is followed has a new one.
  ///
  /// A document that is being put into force on another thread at this moment still is.
  public func cancel() { end() }
}
