import Plug
import PlugIsolation

/// The candidates that an isolated test forces or disables, in the copy of one injector.
final class Verdicts: VerdictHooks {
  private struct Place: Hashable {
    let key: Key
    let candidate: String
  }

  private let verdicts: Guarded<[Place: Verdict]>

  private init(_ verdicts: [Place: Verdict] = [:]) { self.verdicts = Guarded(verdicts) }

  func copy(for injector: Injector) -> Verdicts? { Verdicts(verdicts.withLock { $0 }) }

  /// Sets a verdict. Among the candidates of one service, only the last forced one stays forced.
  private func set(_ verdict: Verdict, _ candidate: String, of key: Key) {
    verdicts.withLock { verdicts in
      if verdict == .forced { verdicts = verdicts.filter { $0.key.key != key || $0.value != .forced } }
      verdicts[Place(key: key, candidate: candidate)] = verdict
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
      (["\(verdict == .forced ? "forced" : "disabled") because the test says so"], [:])
    }
  }

  /// Adds a verdict to the nearest injector that has the candidate.
  static func add(
    _ verdict: Verdict, on candidate: String, at point: String, in injector: Injector
  ) throws(InjectorError) {
    guard let sandbox = Sandbox.current else {
      throw .notIsolated(InjectorError.unknown(candidate, at: point, in: injector, among: []).facts)
    }
    let copy = sandbox.copy(of: injector)
    let found = copy.services(with: candidate, at: point)
    guard let (level, service) = found.first else {
      var others: [(name: String, location: CodeLocation)] = []
      for path in copy.levels.flatMap(\.cells).flatMap(\.paths) {
        others += path.points.map { ("\(path.candidate) at \($0)", path.location) }
      }
      throw .unknown(candidate, at: point, in: copy, among: others)
    }
    if found.count > 1 { throw .ambiguous(point, of: candidate, in: copy, among: found.map(\.service)) }
    var isNew = false
    let verdicts = level.updateAttachment(Verdicts.self) { present in
      isNew = present == nil
      return present ?? Verdicts()
    }
    verdicts?.set(verdict, candidate, of: service.key)
    if isNew, let verdicts { Layers.install(verdicts, in: level) }
  }
}

extension Injector {
  /// The services that have a candidate at a point or in the service of that name, each in the nearest injector that
  /// has it.
  fileprivate func services(with candidate: String, at point: String) -> [(level: Injector, service: Registration)] {
    var found: [(level: Injector, service: Registration)] = []
    for level in levels {
      for cell in level.cells where !found.contains(where: { $0.service.key == cell.registration.key }) {
        let isCalled = [cell.registration.key.text, cell.registration.key.fullName].contains(point)
        if cell.paths.contains(where: { $0.candidate == candidate && (isCalled || $0.points.contains(point)) }) {
          found.append((level, cell.registration))
        }
      }
    }
    return found
  }
}

extension Cell {
  /// The candidates with the ids of the points around them, and with the name of the service last. A registration
  /// without a rule is a candidate too.
  fileprivate var paths: [(candidate: String, points: [String], location: CodeLocation)] {
    let name = typeName(registration.key.type)
    guard let order else { return [(fallbackID, [name], registration.location)] }
    return order.entries.enumerated().map { position, entry in
      (entry.id, order.points(around: position).reversed() + [name], entry.cell.registration.location)
    }
  }
}
