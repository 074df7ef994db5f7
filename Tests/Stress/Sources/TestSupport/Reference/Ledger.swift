/// What happens in a program: the events in their order, and the instances that live. The injectors have one, and the
/// model has one.
package final class Ledger: Sendable {
  private struct State {
    var events: [String] = []
    var number = 0
    var living: Set<Int> = []
    var unconfigured: Set<Int> = []
    var switches: Set<Operation.Switch> = []
  }

  private let state = Locked(State())

  package init() {}

  func note(_ event: String) { state.withLock { $0.events.append(event) } }

  /// Returns the events since the last call.
  func takeEvents() -> [String] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// The numbers of the living instances.
  var living: [Int] { state.withLock { $0.living }.sorted() }

  fileprivate func begin() -> Int {
    state.withLock { state in
      state.number += 1
      state.living.insert(state.number)
      return state.number
    }
  }

  fileprivate func end(_ number: Int) { state.withLock { _ = $0.living.remove(number) } }

  fileprivate func setConfigured(_ number: Int, _ isConfigured: Bool) {
    state.withLock { state in
      if isConfigured { state.unconfigured.remove(number) } else { state.unconfigured.insert(number) }
    }
  }

  fileprivate func isUnconfigured(_ number: Int) -> Bool { state.withLock { $0.unconfigured.contains(number) } }

  func toggle(_ one: Operation.Switch) {
    state.withLock { state in if state.switches.remove(one) == nil { state.switches.insert(one) } }
  }

  func isOn(_ one: Operation.Switch) -> Bool { state.withLock { $0.switches.contains(one) } }

  /// Notes that a closure begins, and throws if it is to throw. All of them throw if an operation does not end
  /// otherwise: closures that catch errors may try every way through a circle.
  func begin(_ event: String, _ one: Operation.Switch) throws(Refusal) {
    note(event)
    if state.withLock({ $0.switches.contains(one) || $0.events.count > 500 }) { throw .constructionFailed }
  }
}

/// An instance, with the instances that it holds.
package protocol Part: AnyObject, Sendable, CustomStringConvertible {
  var origin: Origin { get }
  init(_ origin: Origin)
}

package final class Origin: Sendable {
  private let ledger: Ledger
  private let number: Int
  /// The number of the instance inside all decorators.
  private let core: Int
  private let needs: [Outcome]

  init(_ ledger: Ledger, _ plan: Plan, _ needs: [Outcome]) {
    (self.ledger, self.needs, number) = (ledger, needs, ledger.begin())
    core = number
    if plan.links != nil { ledger.setConfigured(number, false) }
    ledger.note("\(self) is \(plan.service) with \(needs)")
  }

  init(_ ledger: Ledger, around inner: any Part, _ needs: [Outcome]) {
    (self.ledger, self.needs, number) = (ledger, needs + [.one(inner)], ledger.begin())
    core = inner.origin.core
    ledger.note("\(self) is around \(inner) with \(needs)")
  }

  deinit { ledger.end(number) }

  func configure(_ links: [Outcome]) {
    ledger.setConfigured(number, true)
    ledger.note("\(self) is configured with \(links)")
  }
}

extension Origin: CustomStringConvertible {
  /// The number, with a star before the instance is configured.
  package var description: String { "#\(number)\(ledger.isUnconfigured(core) ? "*" : "")" }
}

extension Part {
  package var description: String { origin.description }
}

/// The services are different types, or have different tags.
final class Kind<Digit>: Part {
  let origin: Origin

  init(_ origin: Origin) { self.origin = origin }
}

/// The result of an operation.
enum Outcome: Sendable, CustomStringConvertible {
  case done
  case one(any Part)
  case absent
  case all([any Part])
  case refused(Refusal)

  init(_ request: () throws(Refusal) -> Outcome) {
    do throws(Refusal) { self = try request() } catch { self = .refused(error) }
  }

  var description: String {
    switch self {
    case .done: "done"
    case .one(let part): "\(part)"
    case .absent: "nil"
    case .all(let parts): "[\(parts.map { "\($0)" }.joined(separator: ", "))]"
    case .refused(let refusal): "\(refusal)"
    }
  }
}

/// The cases of `InjectorError`, by their names.
enum Refusal: String, Error {
  case notRegistered, alreadyRegistered, instanceExists, argumentsMismatch, noCandidate, circularDependency
  case constructionFailed, sealed, closed, scopeRequired, captiveDependency, notLoaded, invalid
  case other
}
