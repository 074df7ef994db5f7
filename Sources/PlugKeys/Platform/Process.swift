#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The value of a variable of the program's environment.
package func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// Writes a string to standard error, with a line feed.
package func printError(_ text: String) {
  var bytes = Array((text + "\n").utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    if count <= 0 { return }
    bytes = bytes.dropFirst(count)
  }
}

/// Whether the program runs tests of XCTest or Swift Testing, judging by its name and its environment.
package var isTestProcess: Bool {
  let program = CommandLine.arguments.first ?? ""
  return program.contains("xctest") || program.contains("swiftpm-testing-helper")
    || environmentVariable("XCTestConfigurationFilePath") != nil
}
