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

  func setConfigured(_ number: Int, _ isConfigured: Bool) {
    state.withLock { state in
      if isConfigured { state.unconfigured.remove(number) } else { state.unconfigured.insert(number) }
    }
  }

  fileprivate func isUnconfigured(_ number: Int) -> Bool { state.withLock { $0.unconfigured.contains(number) } }

  func toggle(_ one: Operation.Switch) {
    state.withLock { state in if state.switches.remove(one) == nil { state.switches.insert(one) } }
  }

  func isOn(_ one: Operation.Switch) -> Bool { state.withLock { $0.switches.contains(one) } }

  /// Throws if a closure is to throw. All of them do if an operation does not end otherwise: closures that catch errors
  /// may try every way through a circle.
  func check(_ one: Operation.Switch) throws(Failure) {
    if state.withLock({ $0.switches.contains(one) || $0.events.count > 500 }) { throw Failure() }
  }
}

/// An instance, with the instances that it holds.
package protocol Part: AnyObject, Sendable, CustomStringConvertible {
  var origin: Origin { get }
  init(_ origin: Origin)
}

package final class Origin: Sendable {
  let ledger: Ledger
  let number: Int
  /// The number of the instance inside of all decorators.
  let core: Int
  let needs: [Outcome]

  init(_ ledger: Ledger, _ needs: [Outcome], around inner: (any Part)? = nil) {
    (self.ledger, self.needs) = (ledger, needs + (inner.map { [.one($0)] } ?? []))
    number = ledger.begin()
    core = inner?.origin.core ?? number
  }

  deinit { ledger.end(number) }
}

extension Part {
  /// The number, with a star before the instance is configured.
  package var description: String {
    "#\(origin.number)\(origin.ledger.isUnconfigured(origin.core) ? "*" : "")"
  }
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
  /// The name of the case of `InjectorError`.
  case refused(String)

  var description: String {
    switch self {
    case .done: "done"
    case .one(let part): "\(part)"
    case .absent: "nil"
    case .all(let parts): "[\(parts.map { "\($0)" }.joined(separator: ", "))]"
    case .refused(let name): name
    }
  }
}
