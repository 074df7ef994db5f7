import Foundation

/// The amount of work in a test: little by default, more if `Docs/Server/soak` runs it.
enum Rounds {
  static let requests = number("SOAK_REQUESTS") ?? 4000
  static let signals = number("SOAK_SIGNALS") ?? 5

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }
}
