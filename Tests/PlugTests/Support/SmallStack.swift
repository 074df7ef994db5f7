import Foundation
import Testing

/// Runs a body on a thread with a stack of a size in bytes, and waits for its end.
func onThread(stack size: Int, _ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    body()
    done.signal()
  }
  thread.stackSize = size
  thread.start()
  #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
}
