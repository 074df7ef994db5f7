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
      throw copy.missingCandidate(candidate, at: point)
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
