/// Runs of the initializers of `static let`s and global variables. The objects that they set up belong to the program,
/// even if an isolated test is the first to reach them.
///
/// A run is found in the call stack, because Swift's runtime calls all initializers from one place. If the system
/// cannot list the calls, no run is found.
enum StaticInitialization {
  /// Whether the calling thread is in a run, but not in a sandbox that the run has begun.
  static var isRunning: Bool {
    let (calls, once) = (CallStack.current(), CallStack.once)
    guard !once.isEmpty, let run = calls.indices.first(where: { calls[$0...].starts(with: once) }) else { return false }
    return !calls[..<run].contains { $0 == CallStack.isolation }
  }

  /// Runs work in a sandbox. The call is found on the stack, so it must not be inlined, specialized or left out.
  @_optimize(none)
  @inline(never)
  static func isolating<Result>(_ work: () throws -> Result) rethrows -> Result {
    try work()
  }
}

extension CallStack {
  /// The return addresses between an initializer and the code that reaches its global first, which two unrelated
  /// initializers have in common.
  fileprivate static let once: [UInt] = {
    let first = firstSample
    let second = Set(secondSample)
    let innermost = zip(first, current()).prefix { $0 == $1 }.count
    return first.dropFirst(innermost).drop { !second.contains($0) }.prefix { second.contains($0) }.map(\.self)
  }()

  /// The return address in `isolating`, which two calls have in common, just inside the address in which they
  /// differ.
  fileprivate static let isolation: UInt? = {
    let first = StaticInitialization.isolating { current() }.reversed()
    let second = StaticInitialization.isolating { current() }.reversed()
    let outer = zip(first, second).prefix { $0 == $1 }.count
    guard let call = first.dropFirst(outer + 1).first, call == second.dropFirst(outer + 1).first else { return nil }
    return call
  }()

  private static let firstSample = current()
  private static let secondSample = currentAgain()

  @inline(never)
  private static func currentAgain() -> [UInt] { current() + [] }
}
