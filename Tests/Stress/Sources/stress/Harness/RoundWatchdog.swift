import Foundation
import Synchronization
import TestSupport

/// Reports the current round when the process hangs or crashes.
enum RoundWatchdog {
  private static let current = Locked<Round?>(nil)
  private static let rounds = Atomic(0)

  /// One line about the current round, where a signal handler can read it.
  private nonisolated(unsafe) static let line = UnsafeMutablePointer<CChar>.allocate(capacity: 200)

  /// Starts the watchdog.
  ///
  /// - Parameter patience: The time limit of a round, in seconds.
  static func start(patience: Int) {
    line.initialize(repeating: 0, count: 200)
    for number in [SIGILL, SIGTRAP, SIGABRT] {
      _ = signal(number) { number in
        _ = write(STDERR_FILENO, RoundWatchdog.line, strlen(RoundWatchdog.line))
        _ = signal(number, SIG_DFL)
        raise(number)
      }
    }
    Thread.detachNewThread {
      var (last, idle) = (-1, 0)
      while true {
        sleep(1)
        let now = rounds.load(ordering: .relaxed)
        (last, idle) = (now, now == last ? idle + 1 : 0)
        if idle >= patience { giveUp(after: patience) }
      }
    }
  }

  /// Records the beginning of a round.
  static func watch(_ round: Round) {
    strncpy(line, "Crashed: \(round.command)\n", 199)
    let last = current.withLock { current in
      defer { current = round }
      return current
    }
    withExtendedLifetime(last) {}
    rounds.add(1, ordering: .relaxed)
  }

  private static func giveUp(after seconds: Int) -> Never {
    let round = current.withLock { $0 }
    print("A round of \(round?.scenario ?? "nothing") has not ended after \(seconds) seconds.\n\(round?.report ?? "")")
    fflush(nil)
    _ = signal(SIGABRT, SIG_DFL)
    abort()
  }
}
