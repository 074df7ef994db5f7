import Synchronization

/// A name, and the injectors that code finds by it.
package final class Environment: Sendable, Hashable {
  let name: String
  /// Whether the name refers to `Injector.current`.
  let isOfTask: Bool
  /// The injectors that were created with the name, in order.
  private let owners = Guarded<[Owner]>([])
  private let kept = AtomicLazyReference<Injector>()

  /// An injector with the name.
  ///
  /// The reference is weak, which makes retaining the injector slower, because only a weak reference can be read while
  /// another thread releases the injector.
  private struct Owner: Sendable {
    let number: UInt
    /// The number of the sandbox that the injector belongs to. A test does not find the injectors of another test.
    let sandbox: UInt
    weak var injector: Injector?
  }

  private init(_ name: String, isOfTask: Bool = false) { (self.name, self.isOfTask) = (name, isOfTask) }

  static let ofTask = Environment("current", isOfTask: true)

  package static func == (first: Environment, second: Environment) -> Bool { first === second }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Adds an injector that was created with the name.
  func add(_ injector: Injector) {
    let owner = Owner(number: injector.number, sandbox: injector.sandbox, injector: injector)
    owners.withLock { $0.append(owner) }
  }

  /// Removes an injector that is released.
  func remove(_ number: UInt) {
    owners.withLock { owners in _ = owners.lastIndex { $0.number == number }.map { owners.remove(at: $0) } }
  }

  /// The open injector that was created with the name last, among those of one sandbox.
  ///
  /// - Parameter isOpen: Called without a lock.
  package func created(in sandbox: UInt, where isOpen: (Injector) -> Bool) -> Injector? {
    // References are released outside of the lock. The last injector is nearly always open.
    let last = owners.withLock { all -> Injector? in
      guard let last = all.indices.last, all[last].sandbox == sandbox else { return nil }
      return all[last].injector
    }
    if let last, isOpen(last) { return last }
    for owner in owners.withLock({ owners in owners.filter { $0.sandbox == sandbox } }).reversed() {
      if let injector = owner.injector, isOpen(injector) { return injector }
    }
    return nil
  }

  /// The injector that was made for the name, which exists until the program ends. It is made if there is none.
  package var placeholder: Injector {
    kept.load() ?? kept.storeIfNil(Injector(named: Injector.Name(self), allowRewrite: false, sandbox: 0))
  }

  /// The injector that was made for the name, which no other had then; `nil` if there was no need.
  package var madeForName: Injector? { kept.load() }

  /// Finds the injector of the calling test, or of the program.
  func find() -> Injector {
    if let redirection = Layers.redirection, !redirection.isSettingUp { return redirection.find(self) }
    return created(in: 0) { !$0.isClosedItself } ?? placeholder
  }
}

extension Environment {
  private struct Known {
    var environments: [String: Environment] = [:]
    var limit = 16

    /// Forgets names that no code uses any more.
    mutating func sweep() {
      for name in Array(environments.keys) where isKnownUniquelyReferenced(&environments[name]) {
        environments[name] = nil
      }
      limit = max(16, environments.count * 2)
    }
  }

  private static let known = Guarded(Known())

  /// The environments of all names, in no order.
  static var all: [Environment] { known.withLock { Array($0.environments.values) } }

  static func named(_ name: String) -> Environment {
    known.withLock { known in
      if let environment = known.environments[name] { return environment }
      if known.environments.count >= known.limit { known.sweep() }
      let environment = Environment(name)
      known.environments[name] = environment
      return environment
    }
  }
}
