public import Plug
import Synchronization

/// The switches of one injector.
final class SwitchBoard: OccasionalHook, VerdictHooks {
  private struct State: Sendable {
    var switches = Switches()
    /// Distinguishes all states of all boards, so that results for a state can be reused.
    var stamp: UInt = 0
  }

  private static let lastStamp = Atomic<UInt>(0)
  private let state: Guarded<State>

  init() { state = Guarded(State()) }

  private init(_ state: State) { self.state = Guarded(state) }

  func copy(for injector: Injector) -> SwitchBoard? { SwitchBoard(state.withLock { $0 }) }

  var seesRequests: Bool { false }
  var isIdle: Bool { state.withLock { $0.switches.isEmpty } }

  var switches: Switches { state.withLock { $0.switches } }

  func update(_ change: (inout Switches) -> Void) {
    let stamp = Self.lastStamp.add(1, ordering: .relaxed).newValue
    state.withLock { state in
      change(&state.switches)
      state.stamp = stamp
    }
  }

  func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict] {
    let (stamp, isEmpty) = state.withLock { ($0.stamp, $0.switches.isEmpty) }
    if isEmpty { return [:] }
    let memory = candidates.attachment(SwitchMemory.self) { SwitchMemory() }
    if let known = memory[stamp] { return known }
    let state = state.withLock { $0 }
    let verdicts = candidates.verdicts(of: state.switches)
    memory[state.stamp] = verdicts
    return verdicts
  }

  func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes] {
    let switches = switches
    let verdicts = candidates.verdicts(of: switches)
    return candidates.positions(of: switches).reduce(into: [:]) { notes, named in
      let isForced = verdicts[named.key] == .forced
      let deciding = named.value.filter { ($0.action == .forced) == isForced }
      if verdicts[named.key] == nil || deciding.isEmpty { return }
      notes[named.key] = (
        texts: deciding.map(\.decision), values: [SwitchBoard.valueName: .array(deciding.map(\.json))]
      )
    }
  }

  static let valueName = "switches"
}

/// The verdicts of switches on the given candidates, for reuse.
private final class SwitchMemory: Sendable {
  /// The last verdicts, enough for a few nested injectors.
  private let known = Guarded<[(stamp: UInt, verdicts: [Int: Verdict])]>([])

  subscript(stamp: UInt) -> [Int: Verdict]? {
    get { known.withLock { known in known.first { $0.stamp == stamp }?.verdicts } }
    set {
      guard let newValue else { return }
      known.withLock { known in
        if known.count >= 4 { known.removeFirst() }
        known.append((stamp, newValue))
      }
    }
  }
}

/// The names by which switches mean candidates. Making them takes longer than using them.
private final class SwitchNames: Sendable {
  /// The full name of the service.
  let service: String
  private let names: Set<String>
  private let points: [Set<String>]
  private let positions: [String: [Int]]

  init(_ candidates: CandidateOrdering) {
    let key = candidates.entries.first?.cell.registration.key
    service = key?.fullName ?? ""
    names = key.map { [$0.text, $0.fullName] } ?? []
    points = candidates.entries.indices.map { Set(candidates.points(around: $0)) }
    positions = Dictionary(grouping: candidates.entries.indices) { candidates.entries[$0].id }
  }

  /// The candidates that a switch names.
  func positions(of entry: Switches.Switch) -> [Int] {
    (positions[entry.candidate] ?? []).filter { names.contains(entry.point) || points[$0].contains(entry.point) }
  }
}

extension CandidateOrdering {
  private var names: SwitchNames { attachment(SwitchNames.self) { SwitchNames(self) } }

  /// Whether a switch names a candidate.
  ///
  /// - Complexity: O(1), but O(*n*) for *n* candidates the first time.
  func isNamed(by entry: Switches.Switch) -> Bool { !names.positions(of: entry).isEmpty }

  /// The switches that name candidates, by the candidates' positions.
  ///
  /// - Complexity: O(*m*) for *m* switches, and O(*n*) more for *n* candidates the first time.
  func positions(of switches: Switches) -> [Int: [Switches.Switch]] {
    let names = names
    var found: [Int: [Switches.Switch]] = [:]
    for entry in switches.list where switches.mean(names.service, by: entry) {
      for position in names.positions(of: entry) { found[position, default: []].append(entry) }
    }
    return found
  }

  /// The verdicts of switches. Of several forced candidates, the one that was forced last counts.
  func verdicts(of switches: Switches) -> [Int: Verdict] {
    let named = positions(of: switches)
    var verdicts: [Int: Verdict] = [:]
    for (position, entries) in named where entries.contains(where: { $0.action == .disabled }) {
      verdicts[position] = .refused(.disabled)
    }
    let forced = switches.list.last { entry in
      entry.action == .forced && named.contains { verdicts[$0.key] == nil && $0.value.contains(entry) }
    }
    if let forced, let position = named.first(where: { verdicts[$0.key] == nil && $0.value.contains(forced) })?.key {
      verdicts[position] = .forced
    }
    return verdicts
  }
}

extension Explanation.Verdict {
  /// The candidate is disabled, so its rule was not evaluated; see ``Switches``.
  public static let disabled = Self("disabled")
}

extension Explanation.Element {
  /// The switches that disable or force the candidate; `nil` if its rules decide.
  public var switches: [Switches.Switch]? { details[SwitchBoard.valueName].flatMap { try? Switches.list($0) } }
}
