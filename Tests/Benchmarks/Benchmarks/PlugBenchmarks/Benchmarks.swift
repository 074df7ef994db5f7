import Benchmark
import Foundation

/// What the plug-in of the benchmark package would generate, and build its tools twice for.
@main
struct Benchmarks: BenchmarkRunnerHooks {
  static func registerBenchmarks() {
    // Locks and allocations are cheaper in a process that has never had a second thread, which no Swift program is.
    Thread.detachNewThread { while true { sleep(1000) } }
    Benchmark.defaultConfiguration = Benchmark.Configuration(
      metrics: [.throughput, .plug, .reference, .limit], warmupIterations: 10, maxDuration: .milliseconds(300),
      maxIterations: 20_000)

    getting()
    gettingOnEightThreads()
    gettingOnTwoThreads()
    making()
    gettingKept()
    failing()
    injecting()
    registering()
    starting()
    choosing()
    dividing()
    switching()
    disabling()
    depending()
    scoping()
    validating()
    keys()
    isolating()
    flagging()
  }
}
