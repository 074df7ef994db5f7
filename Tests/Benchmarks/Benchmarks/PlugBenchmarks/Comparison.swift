import Benchmark
import Foundation

extension BenchmarkMetric {
  /// Picoseconds for one operation of ours.
  static let plug = BenchmarkMetric.custom("Plug", useScalingFactor: false)

  /// Picoseconds for one operation of the reference.
  static let reference = BenchmarkMetric.custom("reference", useScalingFactor: false)

  /// Thousandths of what the first may be of the second; 0 if that is not limited.
  static let limit = BenchmarkMetric.custom("limit", useScalingFactor: false)
}

/// A round of operations, as a loop that the compiler sees whole.
struct Work {
  let operations: Int
  let body: (Range<Int>) throws -> Void
  private var fixed: Int?
  private var prepare: (() throws -> () throws -> Void)?

  init(_ operations: Int = 1000, _ body: @escaping (Range<Int>) throws -> Void) {
    self.operations = operations
    self.body = body
  }

  /// Work on something that is made when it begins: each row is measured in a process of its own, which should not wait
  /// for the set-up of all others.
  init<Subject>(
    _ operations: Int = 1000, on subject: @autoclosure @escaping () -> Subject,
    _ body: @escaping (Subject, Range<Int>) throws -> Void
  ) {
    lazy var made = subject()
    self.init(operations) { try body(made, $0) }
  }

  /// Work on something that is made again before each round, which is not measured; nor is its end.
  init<Subject>(
    _ operations: Int, preparing subject: @escaping () throws -> Subject, _ body: @escaping (Subject) throws -> Void
  ) {
    self.init(operations) { _ in }
    prepare = {
      let subject = try subject()
      return { try body(subject) }
    }
  }

  /// Work that awaits, in a task of its own.
  init(inTask operations: Int, _ body: @escaping @Sendable (Range<Int>) async throws -> Void) {
    self.init(operations) { round in
      let done = DispatchSemaphore(value: 0)
      Task.detached {
        do {
          try await body(round)
        } catch {
          fatalError("\(error)")
        }
        done.signal()
      }
      done.wait()
    }
  }

  /// Takes a given time: what something may cost in itself.
  static func nanoseconds(_ time: Int) -> Self {
    var work = Self(1) { _ in }
    work.fixed = time * 1000
    return work
  }

  fileprivate func picosecondsPerOperation() throws -> Int {
    if let fixed { return fixed }
    let round = try prepare?() ?? { try body(0..<operations) }
    let time = try ContinuousClock().measure(round)
    withExtendedLifetime(round) {}
    return Int(time / .nanoseconds(1) * 1000 / Double(operations))
  }
}

/// Measures two ways to do something in turns, so that whatever slows the machine down slows both.
///
/// - Parameters:
///   - row: What the report calls the row.
///   - limit: How many times as long as the reference Plug may take.
///   - plug: The work done with Plug.
///   - reference: The work done by hand, or as the name of the row says.
func compare(_ row: String, limit: Double = 0, _ plug: Work, with reference: Work) {
  Benchmark(row) { benchmark in
    benchmark.measurement(.plug, try plug.picosecondsPerOperation())
    benchmark.measurement(.reference, try reference.picosecondsPerOperation())
    benchmark.measurement(.limit, Int(limit * 1000))
  }
}

/// Lets several threads work at the same time, the calling one among them, and returns when all are done.
///
/// - Parameter work: Receives the number of its thread. The calling thread has the number 0.
func onThreads(_ count: Int, _ work: @escaping @Sendable (_ thread: Int) throws -> Void) throws {
  let ready = DispatchSemaphore(value: 0)
  let done = DispatchGroup()
  for thread in 1..<count {
    done.enter()
    Thread.detachNewThread {
      ready.signal()
      demand { try work(thread) }
      done.leave()
    }
  }
  for _ in 1..<count { ready.wait() }
  try work(0)
  done.wait()
}

/// Sets something up that cannot fail unless a benchmark is wrong.
@discardableResult
func demand<Value>(_ body: () throws -> Value) -> Value {
  do {
    return try body()
  } catch {
    fatalError("\(error)")
  }
}
