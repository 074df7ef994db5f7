#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lets other threads go first.
func yieldThread() {
  sched_yield()
}

/// The value of a variable of the program's environment.
func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// Writes a text to standard error, with a line feed.
func printError(_ text: String) {
  var bytes = Array((text + "\n").utf8)[...]
  while !bytes.isEmpty {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if count <= 0 { return }
    bytes = bytes.dropFirst(count)
  }
}

/// Whether the program runs tests, as far as its name and its environment tell: of XCTest or Swift Testing.
var isTestProcess: Bool {
  let program = CommandLine.arguments.first ?? ""
  return program.contains("xctest") || program.contains("swiftpm-testing-helper")
    || environmentVariable("XCTestConfigurationFilePath") != nil
}

/// The time of the system's clock, in seconds since 1970-01-01T00:00:00Z.
func secondsSince1970() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
