import Plug

/// The candidates that an isolated test forces or disables, in the copy of one injector.
final class Verdicts: Hooks, CopiedAttachment {
  private struct Place: Hashable {
    let key: Key
    let candidate: String
  }

  private let verdicts: Guarded<[Place: Verdict]>

  private init(_ verdicts: [Place: Verdict] = [:]) { self.verdicts = Guarded(verdicts) }

  func copy(for injector: Injector) -> Verdicts { Verdicts(verdicts.withLock { $0 }) }

  /// Of the candidates of one service, one is forced: the last.
  private func set(_ verdict: Verdict, _ candidate: String, of keys: [Key]) {
    verdicts.withLock { verdicts in
      for key in keys {
        if verdict == .forced { verdicts = verdicts.filter { $0.key.key != key || $0.value != .forced } }
        verdicts[Place(key: key, candidate: candidate)] = verdict
      }
    }
  }

  func verdicts(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Verdict] {
    let verdicts = verdicts.withLock { $0 }
    return candidates.entries.enumerated().reduce(into: [:]) { found, one in
      found[one.offset] = verdicts[Place(key: one.element.cell.registration.key, candidate: one.element.id)]
    }
  }

  func notes(on candidates: CandidateOrdering, in injector: Injector) -> [Int: Notes] {
    verdicts(on: candidates, in: injector).mapValues { verdict in
      Notes(texts: ["\(verdict == .forced ? "forced" : "disabled") because the test says so"], values: [:])
    }
  }

  /// Adds a verdict to the nearest injector that has the candidate.
  static func add(
    _ verdict: Verdict, on candidate: String, at point: String, in injector: Injector
  ) throws(InjectorError) {
    guard let sandbox = Sandbox.current else {
      throw .notIsolated(InjectorError.Facts(candidate: candidate, at: point, in: injector))
    }
    let copy = sandbox.copy(of: injector)
    guard let found = copy.candidates(candidate, at: point) else {
      var others: [InjectorError.Suggestion] = []
      for path in copy.levels.flatMap(\.cells).flatMap(\.paths) {
        others += path.points.map { InjectorError.Suggestion("\(path.candidate) at \($0)", at: path.location) }
      }
      throw .unknownCandidate(candidate, at: point, in: copy, among: others)
    }
    var isNew = false
    let verdicts = found.level.updateAttachment(Verdicts.self) { present in
      isNew = present == nil
      return present ?? Verdicts()
    }
    verdicts?.set(verdict, candidate, of: found.keys)
    if isNew, let verdicts { Layers.install(verdicts, in: found.level) }
  }
}

extension Injector {
  /// The candidates that an id means at a point, or at a service by its name, here or in the nearest injector around
  /// this one that has any.
  fileprivate func candidates(_ id: String, at point: String) -> (level: Injector, keys: [Key])? {
    for level in levels {
      let cells = level.cells.filter { $0.paths.contains { $0.candidate == id && $0.points.contains(point) } }
      if !cells.isEmpty { return (level, cells.map(\.registration.key)) }
    }
    return nil
  }
}

extension Cell {
  /// The candidates with the ids of the points around each, the name of the service last. A registration without a
  /// rule is a candidate too.
  fileprivate var paths: [(candidate: String, points: [String], location: CodeLocation)] {
    let name = typeName(registration.key.type)
    guard let order = selector?.order else { return [(Fallback.id, [name], registration.location)] }
    return order.entries.enumerated().map { place, entry in
      (entry.id, order.points(around: place).reversed() + [name], entry.cell.registration.location)
    }
  }
}
