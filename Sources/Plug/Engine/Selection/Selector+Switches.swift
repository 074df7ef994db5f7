/// Which candidates of a selector are disabled, and which one is forced, by their places.
struct Switched: Sendable {
  var disabled: Set<Int> = []
  var forced: Int?
}

extension Selector {
  /// What the switches of an injector say about the candidates.
  func switched(for injector: Injector) -> Switched {
    // Who follows the selections is told of switches that come later only if they are looked for now.
    let isNeeded = injector.registrations.instrumentation.hasSwitches || ThreadContext.current.watch != nil
    if !isNeeded { return Switched() }
    let look = unsafe SwitchMemory.look(at: switchMemory, in: injector.registrations)
    if let known = unsafe look?.switched { return known }
    let found = unsafe injector.registrations.withState(Switches.self) { state in
      unsafe state._withUnsafeGuaranteedRef { state -> Switched? in
        guard let current = state.current(), current.stamp.owner == ObjectIdentifier(state) else { return nil }
        let switched = switched(by: current.value)
        remember(switched, of: state, current.stamp.version &+ 1)
        return switched
      }
    }
    return found ?? switched(by: (try? injector.get(Switches.self, fileID: "", line: 0)) ?? Switches())
  }

  private func remember(_ switched: Switched, of state: AnyEntry, _ stamp: UInt) {
    let known = unsafe switchMemory.pointer(to: SwitchMemory.self)?.pointee
    let memory = known ?? switchMemory.firstPublished(SwitchMemory(candidates: candidates.count))
    memory.keep(switched, of: state, stamp)
  }

  /// Finds the candidates that switches name; of several that are forced the last one counts.
  private func switched(by switches: Switches) -> Switched {
    var switched = Switched()
    for entry in switches.list {
      let matching = ordinals(of: entry)
      if matching.isEmpty { continue }
      for (place, candidate) in candidates.enumerated() where matching.contains(candidate.ordinal) {
        switch entry.action {
        case .disabled: switched.disabled.insert(place)
        case .forced: switched.forced = place
        }
      }
    }
    if let forced = switched.forced, switched.disabled.contains(forced) { switched.forced = nil }
    return switched
  }

  /// The switches that decide about candidates, by their places in declared order, for explanations.
  func switches(for injector: Injector) -> [Int: [Switches.Switch]] {
    guard injector.registrations.instrumentation.hasSwitches,
      let switches = try? injector.get(Switches.self, fileID: "", line: 0), !switches.isEmpty
    else { return [:] }
    let switched = switched(by: switches)
    var found: [Int: [Switches.Switch]] = [:]
    for (place, candidate) in candidates.enumerated() {
      let action: Switches.Switch.Action? =
        switched.disabled.contains(place) ? .disabled : switched.forced == place ? .forced : nil
      let deciding = switches.list.filter { $0.action == action && ordinals(of: $0).contains(candidate.ordinal) }
      if !deciding.isEmpty { found[candidate.ordinal] = deciding }
    }
    return found
  }

  /// The candidates that a switch names, by their places in declared order.
  func ordinals(of entry: Switches.Switch) -> Set<Int> {
    if entry.candidate == Fallback.id, entry.point == name, fallback != nil { return [.max] }
    var (ordinals, next): (Set<Int>, Int) = ([], 0)
    for element in elements {
      element.visit(inside: entry.point == name, entry.point) { candidate, isInside in
        if isInside, candidate.id == entry.candidate { ordinals.insert(next) }
        next += 1
      }
    }
    return ordinals
  }

  /// See `candidatePaths`.
  var paths: [String] {
    let fallback = fallback.map { _ in "\(Fallback.id) at \(name)" }
    return elements.flatMap { $0.paths(in: name) } + [fallback].compactMap(\.self)
  }
}

extension PluginElement {
  /// Visits all candidates in declared order.
  ///
  /// - Parameters:
  ///   - isInside: Whether a point around this has the id, or what is around all of them.
  ///   - id: The id of a point.
  fileprivate func visit(inside isInside: Bool, _ id: String, _ body: (Candidate<Service, Context>, Bool) -> Void) {
    switch self {
    case .candidate(let candidate): body(candidate, isInside)
    case .point(let point):
      for element in point.elements { element.visit(inside: isInside || point.id == id, id, body) }
    }
  }

  fileprivate func paths(in point: String) -> [String] {
    switch self {
    case .candidate(let candidate): ["\(candidate.id) at \(point)"]
    case .point(let inner): inner.elements.flatMap { $0.paths(in: inner.id) }
    }
  }
}
