import Plug
import Synchronization
import TestSupport

/// The context of the rules under test.
struct Guest: FeatureContext {
  var id = "user-1"
  var age = 30
  var country: String? = "PL"
  var score: Double?
  var address = Address()
  var enabledFeatures: Set<String> = []

  struct Address: Sendable {
    var city = "Gdynia"
    var floor: Int?
  }
}

/// A record of events, in order.
final class Journal: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func note(_ line: String) { lines.withLock { $0.append(line) } }

  /// Returns all lines so far, and removes them.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// The reason why a condition cannot be decided.
struct Unknowable: Error, CustomStringConvertible {
  var description: String { "nobody knows" }
}

extension RuleTrace.Outcome {
  static let each: [RuleTrace.Outcome] = [.satisfied, .unsatisfied, .indeterminate]
}

extension Rule {
  /// A condition with a known outcome, which records its name when it runs.
  static func known(_ outcome: RuleTrace.Outcome, _ name: String? = nil, in journal: Journal? = nil) -> Self {
    let name = name ?? outcome.rawValue
    return Rule(name) { _ in
      journal?.note(name)
      switch outcome {
      case .satisfied: return true
      case .unsatisfied: return false
      case .indeterminate: throw Unknowable()
      }
    }
  }
}
