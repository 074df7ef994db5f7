/// The options of the command line.
struct Options {
  static let usage = """
    usage: stress SECONDS [--seed NUMBER] [--only SCENARIO] [--round NUMBER] [--without OPERATIONS] [--patience SECONDS]
      --seed      draws the same rounds again
      --only      runs one scenario: \(Scenario.all.map(\.name).joined(separator: ", "))
      --round     begins at this round
      --without   leaves out operations, separated by commas: configure, deinit, onClose, failure, or those of a report
      --patience  how long a round may take, 30 seconds by default
    """

  private(set) var seconds = 0.0
  private(set) var seed = UInt64.random(in: 1...999_999)
  private(set) var scenarios = Scenario.all
  private(set) var round = 0
  private(set) var without: Set<String> = []
  private(set) var patience = 30

  /// - Returns: `nil` if the arguments are invalid.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    guard let first = rest.popFirst(), let seconds = Double(first) else { return nil }
    self.seconds = seconds
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch option {
      case "--seed": guard set(\.seed, UInt64(value)) else { return nil }
      case "--round": guard set(\.round, Int(value)) else { return nil }
      case "--patience": guard set(\.patience, Int(value)) else { return nil }
      case "--without": without = Set(value.split(separator: ",").map(String.init))
      case "--only":
        scenarios = Scenario.all.filter { $0.name == value }
        if scenarios.isEmpty { return nil }
      default: return nil
      }
    }
  }

  private mutating func set<Value>(_ property: WritableKeyPath<Self, Value>, _ value: Value?) -> Bool {
    if let value { self[keyPath: property] = value }
    return value != nil
  }
}
