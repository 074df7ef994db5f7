import Benchmark
import Foundation

/// The two sides of a row in the report.
enum Side: String {
  case plug
  case byHand = "by hand"
}

/// Measures a round of some work; the report takes the time of a round from here.
///
/// - Parameters:
///   - row: What the report calls the row.
///   - operations: How many operations `body` does in a round, so that the report can tell the time of one.
///   - body: A round, as a loop that the compiler sees whole.
func measure(_ row: String, _ side: Side, operations: Int = 1000, _ body: @escaping (Range<Int>) throws -> Void) {
  Benchmark("\(row)|\(side.rawValue)|\(operations)") { _ in
    try body(0..<operations)
  }
}

/// Lets two threads do the same work at the same time, and returns when both are done.
func onTwoThreads(_ work: @escaping @Sendable () throws -> Void) throws {
  let ready = DispatchSemaphore(value: 0)
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    ready.signal()
    try? work()
    done.signal()
  }
  ready.wait()
  try work()
  done.wait()
}
