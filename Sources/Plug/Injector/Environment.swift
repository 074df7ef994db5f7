/// A name, and the injectors that code finds by it. Each test has its own environment for each name.
@usableFromInline
package final class Environment: Sendable, Hashable {
  let name: String
  /// Whether the name refers to `Injector.current`.
  let isOfTask: Bool
  private let claims = Guarded(NameClaims())

  private init(_ name: String, isOfTask: Bool = false) { (self.name, self.isOfTask) = (name, isOfTask) }

  static let ofTask = Environment("current", isOfTask: true)

  @usableFromInline
  package static func == (first: Environment, second: Environment) -> Bool { first === second }

  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The injectors that have the name. This is a copy, so that no injector is accessed and released under the lock.
  var owners: NameClaims { claims.withLock { $0 } }

  /// Changes the injectors that have the name, and tries again if another thread has changed them meanwhile.
  @discardableResult
  func change<Result>(_ body: (inout NameClaims) -> Result) -> Result {
    while true {
      let old = owners
      var new = old
      let result = body(&new)
      if new.version == old.version || claims.withLock({ $0.become(new, ifStill: old) }) { return result }
    }
  }

  /// The environment of the name in a test.
  func isolated(by redirection: any Redirection) -> Environment { redirection.isolated(self) { Environment(name) } }
}

/// The injectors that have one name. Look-ups find the first one until it is closed or released.
struct NameClaims: Sendable {
  private struct Claim: Sendable {
    private weak var created: Injector?
    /// A placeholder, which a look-up has made and nothing else holds.
    let placeholder: Injector?
    /// Whether a look-up has found it.
    var isFound = false
    var injector: Injector? { placeholder ?? created }

    init(_ injector: Injector) { (created, placeholder) = (injector, nil) }

    // A weak reference makes retaining slower, and `Injector.default` is a placeholder.
    init(placeholder: Injector) { (created, self.placeholder, isFound) = (nil, placeholder, true) }
  }

  private var claims: [Claim] = [] { didSet { version += 1 } }
  fileprivate private(set) var version = 0

  // A lazy sequence would read the reference twice, and another thread may release the injector in between.
  var first: Injector? {
    for claim in claims { if let injector = claim.injector { return injector } }
    return nil
  }
  var placeholder: Injector? { claims.lazy.compactMap(\.placeholder).first }

  /// Looks the name up, and marks the injector as found.
  ///
  /// - Parameter isCreated: Whether to find only injectors that a program or a test has created, no placeholder.
  mutating func find(isCreated: Bool = false) -> Injector? {
    for place in claims.indices where !isCreated || claims[place].placeholder == nil {
      guard let injector = claims[place].injector else { continue }
      if !claims[place].isFound { claims[place].isFound = true }
      return injector
    }
    return nil
  }

  /// Keeps a placeholder, unless another thread has been faster.
  mutating func hold(_ made: Injector) -> Injector {
    if let first { return first }
    claims.insert(Claim(placeholder: made), at: 0)
    return made
  }

  /// Adds an injector that was created with the name.
  mutating func add(_ injector: Injector) {
    claims = claims.filter { claim in
      // Look-ups find a closed injector only while no other has the name.
      guard let injector = claim.injector, !injector.isClosedItself else { return false }
      return claim.placeholder == nil || !injector.isUntouched
    }
    claims.append(Claim(injector))
  }

  /// Moves a closed injector behind the others.
  mutating func moveBack(_ injector: Injector) {
    guard claims.count > 1, let place = claims.firstIndex(where: { $0.injector === injector }) else { return }
    claims.append(claims.remove(at: place))
  }

  /// The number of injectors with the name; `nil` unless there are several and a look-up has found the first.
  var contenders: Int? {
    let living = claims.filter { $0.injector.map { !$0.isClosedItself } ?? false }
    return living.count > 1 && living[0].isFound ? living.count : nil
  }

  fileprivate mutating func become(_ new: NameClaims, ifStill old: NameClaims) -> Bool {
    if version != old.version { return false }
    self = new
    return true
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

extension Environment {
  func find() -> Injector {
    guard let redirection = Layers.redirection, !StaticInitialization.isRunning else { return findOutside() }
    return redirection.find(self)
  }

  /// Finds the program's injector; if there is none, a new placeholder, which is kept.
  func findOutside() -> Injector {
    if let found = change({ $0.find() }) { return found }
    let made = Injector(named: Injector.Name(self), allowRewrite: false, sandbox: 0)
    return change { $0.hold(made) }
  }

  /// Adds an injector that was created with this name.
  func claim(for injector: Injector) {
    guard injector.sandbox != 0, let redirection = Layers.redirection else { return change { $0.add(injector) } }
    redirection.claim(self, for: injector)
  }

  /// Takes the name from a closed injector, if another one has it, too.
  func giveUp(_ injector: Injector) { environment(of: injector)?.change { $0.moveBack(injector) } }

  /// The number of injectors that share an injector's name; `nil` unless a look-up has found the first of several.
  func contenders(with injector: Injector) -> Int? { environment(of: injector)?.owners.contenders }

  /// Whether a look-up of the name finds an injector.
  func finds(_ injector: Injector) -> Bool { environment(of: injector)?.owners.first === injector }

  private func environment(of injector: Injector) -> Environment? {
    injector.sandbox == 0 ? self : Layers.redirection.map { isolated(by: $0) }
  }
}
