public import Synchronization

/// What a name stands for: the injector that is found by it. There is one for each name that is in use.
///
/// Soundness: `current` is the injector of `holder`, or nil. An injector takes itself out in its `deinit`, and goes on
/// only when no thread can be looking at it any more; so does whoever replaces one that is held here.
@safe
@usableFromInline
final class Environment: Sendable {
  private struct Holder {
    weak var injector: Injector?
    /// Keeps an injector that was made by a look-up.
    var owned: Injector?
  }

  let name: String
  private let holder = Guarded(Holder())

  /// The injector, for use while the caller looks.
  @usableFromInline let current = unsafe Atomic<Unmanaged<Injector>?>(nil)

  /// Whether it stands for the injector of the task that asks.
  @usableFromInline let isOfTask: Bool

  private init(_ name: String, isOfTask: Bool = false) {
    self.name = name
    self.isOfTask = isOfTask
  }

  /// The instance of a service that exists, taken without so much as counting a reference to the injector; nothing if
  /// the way may not be cut short.
  @inlinable
  func instance<Service: Sendable>(_ service: Service.Type, _ tag: Injector.Tag?) -> Service? {
    ReadCopyUpdate.read {
      let entry = unsafe current.load(ordering: .sequentiallyConsistent)?._withUnsafeGuaranteedRef { injector in
        injector.registrations.isPlain ? unsafe injector.registrations.find(service, tag) : nil
      }
      let built = unsafe (entry ?? nil)?._withUnsafeGuaranteedRef { unsafe $0.instance.pointer(to: service) }
      return unsafe built?.pointee
    }
  }

  /// The injector that is found where no test is isolated, if there is one.
  var present: Injector? { holder.withLock { $0.injector } }

  func findOutside() -> Injector {
    holder.withLock { holder in
      if let injector = holder.injector { return injector }
      let made = Injector(environment: self)
      holder = Holder(injector: made, owned: made)
      unsafe current.store(Unmanaged.passUnretained(made), ordering: .sequentiallyConsistent)
      return made
    }
  }

  /// Makes the injector the environment, unless another is it already that has been created or has registrations.
  func claimOutside(for injector: Injector) {
    // The old one leaves the closure alive: releasing the last reference under the lock would run its deinit there.
    let old = holder.withLock { holder -> Injector? in
      let old = holder.injector
      if old == nil || holder.owned?.registrations.isEmpty == true {
        holder = Holder(injector: injector, owned: nil)
        unsafe current.store(Unmanaged.passUnretained(injector), ordering: .sequentiallyConsistent)
      }
      return old
    }
    if old != nil { ReadCopyUpdate.waitForReaders() }
    withExtendedLifetime(old) {}
  }

  /// Forgets an injector that is going. Nobody looks at it any more when this returns.
  func release(_ injector: ObjectIdentifier) {
    holder.withLock { _ in
      guard let current = unsafe current.load(ordering: .relaxed)?.toOpaque() else { return }
      if UInt(bitPattern: current) == UInt(bitPattern: injector) {
        unsafe self.current.store(nil, ordering: .sequentiallyConsistent)
      }
    }
    ReadCopyUpdate.waitForReaders()
  }
}

extension Environment {
  /// The environments by their names. A weak reference would make every other one slower; so those that nobody else
  /// holds go when the table has grown to twice the size that it had without them.
  private struct Known {
    var environments: [String: Environment] = [:]
    var limit = 16

    mutating func sweep() {
      for name in Array(environments.keys) where isKnownUniquelyReferenced(&environments[name]) {
        environments[name] = nil
      }
      limit = max(16, environments.count * 2)
    }
  }

  private static let known = Guarded(Known())

  /// What stands for the injector of the task that asks. Its text does not find it.
  static let ofTask = Environment("current", isOfTask: true)

  static var knownCount: Int { known.withLock { $0.environments.count } }

  /// The environment of a name.
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
