import Benchmark
import Foundation

let benchmarks: @Sendable () -> Void = {
  // Locks and allocations are cheaper in a process that has never had a second thread, which no Swift program is.
  Thread.detachNewThread { while true { sleep(1000) } }
  Benchmark.defaultConfiguration = Benchmark.Configuration(
    metrics: [.wallClock, .throughput], warmupIterations: 20, maxDuration: .milliseconds(400), maxIterations: 100_000)

  getting()
  making()
  injecting()
  registering()
  choosing()
}
