/// Makes each new document of a sequence current, until it is cancelled or released.
///
/// See `Injector.follow(_:named:flagSet:beginningWith:onFailure:)`. It can be used from any thread.
public final class FlagFollowing: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }

  /// Stops following the sequence. The last document stays current until another followed source has a new one.
  ///
  /// If another thread is making a document current at this moment, that document still takes effect.
  public func cancel() { end() }
}
