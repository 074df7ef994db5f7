import Foundation
import Synchronization

/// Threads that stay from round to round, and are released from a barrier in each.
final class Crew: Sendable {
  typealias Body = @Sendable () -> Void

  private let bodies = Locked<[Body]>([])
  private let arrived = Atomic(0)
  private let starts: [DispatchSemaphore]
  private let done = DispatchSemaphore(value: 0)

  init(size: Int) {
    starts = (0..<size).map { _ in DispatchSemaphore(value: 0) }
    for index in 0..<size {
      let thread = Thread { [self] in
        while true { work(index) }
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
  }

  /// Runs each body on a thread of its own, all at the same time, and waits for them.
  func run(_ work: [Body]) {
    bodies.withLock { $0 = work }
    arrived.store(0, ordering: .sequentiallyConsistent)
    for start in starts.prefix(work.count) { start.signal() }
    for _ in work { done.wait() }
    let ended = bodies.withLock { bodies in
      defer { bodies = [] }
      return bodies
    }
    withExtendedLifetime(ended) {}
  }

  private func work(_ index: Int) {
    starts[index].wait()
    do {
      let (body, count) = bodies.withLock { ($0[index], $0.count) }
      arrived.add(1, ordering: .sequentiallyConsistent)
      while arrived.load(ordering: .sequentiallyConsistent) < count { sched_yield() }
      body()
    }
    done.signal()
  }
}

/// Passes some time, so that threads meet at different places in each round.
@inline(never)
func pause(_ turns: Int) {
  for turn in 0..<turns where turn % 64 == 63 { sched_yield() }
}

/// Runs a body on a new thread, and waits until that has ended with all that belongs to it.
func onNewThread(_ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  #if canImport(Darwin)
    var thread: pthread_t?
    let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { work in
      Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      return nil
    }
  #else
    var thread: pthread_t = 0
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
      return nil
    }
  #endif
  let status = pthread_create(&thread, nil, run, Unmanaged.passRetained(Work(body)).toOpaque())
  guard status == 0 else { fatalError("No thread can be started: \(status).") }
  #if canImport(Darwin)
    if let thread { pthread_join(thread, nil) }
  #else
    pthread_join(thread, nil)
  #endif
}

/// Waits on a thread of the crew for asynchronous work.
func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value) -> Value {
  let (errand, done) = (Errand(body), DispatchSemaphore(value: 0))
  Task.detached {
    await errand.run()
    done.signal()
  }
  done.wait()
  guard let value = errand.takeValue() else { fatalError("The work has ended without a value.") }
  return value
}

/// Asynchronous work and then its value. A task ends after its work is known to be over; so it must not be the last to
/// hold either.
private final class Errand<Value: Sendable>: Sendable {
  private let body: Locked<(@Sendable () async -> Value)?>
  private let value = Locked<Value?>(nil)

  init(_ body: @escaping @Sendable () async -> Value) {
    self.body = Locked(body)
  }

  func run() async {
    guard let body = body.withLock({ $0.take() }) else { return }
    let made = await body()
    value.withLock { $0 = made }
  }

  func takeValue() -> Value? { value.withLock { $0.take() } }
}

/// Lets tasks go on that nobody waits for.
func sleepBriefly() { usleep(1_000) }
