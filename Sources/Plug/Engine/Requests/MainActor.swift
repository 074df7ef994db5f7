#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
  import Synchronization
#elseif canImport(Musl)
  import Musl
  import Synchronization
#endif

/// Whether the calling code runs on the main actor; asks without trapping.
///
/// On Apple platforms that is the main thread. Elsewhere the main actor may be served by any thread, so the runtime is
/// asked.
func isOnMainActor() -> Bool {
  #if canImport(Darwin)
    return pthread_main_np() != 0
  #else
    return MainActorProbe.isOnMainActor
  #endif
}

#if !canImport(Darwin)
  /// Asks Swift's runtime which actor is current.
  private enum MainActorProbe {
    private typealias IsCurrent = @convention(c) (UInt, UInt, UInt64) -> Bool

    /// What `Task.immediate` asks whether it may run its closure at once (SE-0472).
    ///
    /// Soundness of the cast: the runtime declares `bool swift_task_isCurrentExecutorWithFlags(SerialExecutorRef,
    /// uint64_t)` with two words for the executor. It has Swift's calling convention, which passes and returns plain
    /// integers as C's does.
    private static let isCurrent: IsCurrent? =
      unsafe dlsym(dlopen(nil, RTLD_LAZY), "swift_task_isCurrentExecutorWithFlags").map { symbol in
        unsafe unsafeBitCast(symbol, to: IsCurrent.self)
      }

    /// Soundness of the cast: `UnownedSerialExecutor` is frozen, and consists of the two words.
    private static let mainExecutor = unsafe unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self)

    /// Without flags, the runtime answers and does nothing else.
    static var isOnMainActor: Bool {
      guard let isCurrent else { return runsAtOnce }
      return isCurrent(mainExecutor.0, mainExecutor.1, 0)
    }

    /// The same where the program contains the runtime, so that the symbol is not found: an immediate task of the main
    /// actor runs before `Task.immediate` returns, exactly if this is the main actor. Otherwise it is one empty job for
    /// it.
    private static var runsAtOnce: Bool {
      let caller = ThreadContext.current
      let ranHere = Flag()
      Task.immediate { @MainActor in
        if ThreadContext.current === caller { ranHere.value.store(true, ordering: .relaxed) }
      }
      return ranHere.value.load(ordering: .relaxed)
    }

    private final class Flag: Sendable {
      let value = Atomic(false)
    }
  }
#endif
