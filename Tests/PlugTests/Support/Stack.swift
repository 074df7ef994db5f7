import Foundation
import Testing

@testable import Plug

/// Runs a body on a thread with a stack of a size in bytes.
func onStack<Outcome: Sendable>(of size: Int, _ body: @escaping @Sendable () -> Outcome) throws -> Outcome {
  let outcome = Setting<Outcome>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    outcome.set(body())
    done.signal()
  }
  thread.stackSize = size
  thread.start()
  #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
  return try #require(outcome.value)
}
