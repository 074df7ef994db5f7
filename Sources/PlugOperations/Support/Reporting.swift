import Plug

/// The threads on which users' closures receive reports. The requests of these closures are not reported.
final class Reporting: Sendable {
  static let exposures = Reporting()
  static let events = Reporting()

  private let threads = Guarded<Set<UInt>>([])

  /// Runs users' closures, unless one already runs on this thread.
  func run(_ body: () -> Void) {
    let thread = Injector.callingThread
    guard threads.withLock({ $0.insert(thread).inserted }) else { return }
    body()
    threads.withLock { _ = $0.remove(thread) }
  }
}
