import Foundation
import TestSupport

/// Runs a body on a new thread, and waits until the thread and all that belongs to it have ended.
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

/// Waits for asynchronous work on a thread of the crew.
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

/// Lets tasks continue that nothing waits for.
func sleepBriefly() { usleep(1_000) }
