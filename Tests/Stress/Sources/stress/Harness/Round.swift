import Synchronization
import TestSupport

/// One round of a scenario: its seed, its operations, and the broken promises.
final class Round: Sendable {
  let scenario: String
  let seed: UInt64
  let number: Int

  /// The operations to skip, which narrows down the cause of a fault.
  private let without: Set<String>

  /// Counts the events of the round, so that each is ordered after the ones before it.
  private let clock = Atomic(0)

  /// The number of products made, and the living ones by number.
  private let made = Atomic(0)
  private let living = Locked<[Int: String]>([:])

  private let operations = Locked<[String]>([])
  private let broken = Locked<[String]>([])

  init(of scenario: String, seed: UInt64, number: Int, without: Set<String>) {
    self.scenario = scenario
    self.seed = seed
    self.number = number
    self.without = without
  }

  /// The source of the round's random values: equal for equal scenario, seed and number.
  var random: SplitMix64 {
    var random = SplitMix64(seed: seed)
    for byte in scenario.utf8 { random = SplitMix64(seed: random.next() ^ UInt64(byte)) }
    return SplitMix64(seed: random.next() &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
  }

  func leavesOut(_ operation: String) -> Bool { without.contains(operation) }

  /// The next moment.
  func tick() -> Int { clock.add(1, ordering: .sequentiallyConsistent).newValue }

  /// Records an operation for the report.
  func note(_ operation: String) {
    operations.withLock { $0.append(operation) }
  }

  /// Records a broken promise unless the condition holds.
  func expect(_ condition: Bool, _ promise: @autoclosure () -> String) {
    if condition { return }
    let text = promise()
    broken.withLock { $0.append(text) }
  }

  /// Whether every promise has been kept.
  var isKept: Bool { broken.withLock { $0.isEmpty } }

  /// The command that repeats the round.
  var command: String {
    let rest = without.isEmpty ? "" : " --without \(without.sorted().joined(separator: ","))"
    return ".ci/stress 60 --seed \(seed) --only \(scenario) --round \(number)\(rest)"
  }

  /// The broken promises, and the operations.
  var report: String {
    let (broken, operations) = (broken.current, operations.current)
    let shown = broken.prefix(20).map { "  \($0)" } + (broken.count > 20 ? ["  and \(broken.count - 20) more"] : [])
    return """
      \(shown.isEmpty ? "" : "Broken in \(scenario):\n\(shown.joined(separator: "\n"))\n")\
      Operations:
      \(operations.map { "  \($0)" }.joined(separator: "\n"))
      Again: \(command)
      """
  }
}

extension Round {
  /// Records that an instance begins to live.
  ///
  /// - Returns: Its number.
  func begin(_ name: String) -> Int {
    let number = made.add(1, ordering: .relaxed).newValue
    living.withLock { $0[number] = name }
    return number
  }

  func end(_ number: Int) {
    living.withLock { _ = $0.removeValue(forKey: number) }
  }

  /// The descriptions of the living instances.
  var survivors: [String] { living.current.sorted { $0.key < $1.key }.map { "\($1) \($0)" } }
}
