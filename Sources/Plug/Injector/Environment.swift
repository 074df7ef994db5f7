/// A name of an injector, and the injector that code finds by it.
@usableFromInline
package final class Environment: Sendable {
  let name: String
  fileprivate let claims = Guarded(NameClaims())
  /// Whether it stands for `Injector.current`.
  let isOfTask: Bool

  private init(_ name: String, isOfTask: Bool = false) {
    self.name = name
    self.isOfTask = isOfTask
  }

  static let ofTask = Environment("current", isOfTask: true)

  /// The injector of the program, if there is one.
  var present: Injector? { claims.change { claims, _ in claims.present } }

  /// The injector; a placeholder, which the program keeps, if there is none.
  func findOutside() -> Injector {
    let found = claims.change { claims, seen in
      let created = claims.found(&seen)
      return claims.placeholder ?? created
    }
    if let found { return found }
    let made = Injector(named: Injector.Name(self), allowRewrite: false, sandbox: 0)
    return claims.change { claims, _ in claims.hold(made) }
  }

  fileprivate func claimOutside(for injector: Injector) {
    claims.change { claims, seen in claims.claim(for: injector, &seen) }
  }

}

/// The injectors that have one name. The first is found by it until it is closed or released.
package struct NameClaims {
  private struct Claim {
    weak var injector: Injector?
    let number: UInt

    init(_ injector: Injector) { (self.injector, number) = (injector, injector.number) }
  }

  private var claims: [Claim] = []
  /// What a look-up has made, which nothing else holds. It is the first if it is used.
  private(set) var placeholder: Injector?
  private var isContested = false

  /// What is found by the name.
  var present: Injector? { placeholder ?? created }

  /// The first injector that was created with the name.
  var created: Injector? {
    for claim in claims { if let injector = claim.injector { return injector } }
    return nil
  }

  /// What a look-up finds of those, which remembers that there were several.
  mutating func found(_ seen: inout [Injector]) -> Injector? {
    if claims.count + (placeholder == nil ? 0 : 1) > 1, living(&seen).count > 1 { isContested = true }
    return created
  }

  /// Keeps a placeholder, unless another thread has been faster.
  mutating func hold(_ made: Injector) -> Injector {
    if let present { return present }
    placeholder = made
    return made
  }

  mutating func claim(for injector: Injector, _ seen: inout [Injector]) {
    // A closed injector is still found, unless there is another.
    claims = living(&seen).filter { $0 !== placeholder }.map { Claim($0) } + [Claim(injector)]
    if let old = placeholder, old.isUntouched || old.isClosedItself { leave(&seen) }
  }

  /// Puts an injector behind the others.
  mutating func moveBack(_ injector: Injector) {
    guard claims.count > 1, let place = claims.firstIndex(where: { $0.number == injector.number }) else { return }
    claims.append(claims.remove(at: place))
  }

  /// Gives the placeholder up.
  mutating func leave(_ seen: inout [Injector]) {
    if let placeholder { seen.append(placeholder) }
    placeholder = nil
  }

  mutating func contenders(_ seen: inout [Injector]) -> Int? {
    guard isContested else { return nil }
    let count = living(&seen).count
    if count < 2 { isContested = false }
    return isContested ? count : nil
  }

  private func living(_ seen: inout [Injector]) -> [Injector] {
    let all = ([placeholder] + claims.map(\.injector)).compactMap(\.self)
    seen += all
    return all.filter { !$0.isClosedItself }
  }
}

extension Guarded where Value == NameClaims {
  /// - Parameter body: Adds what it has looked at to an array, because that may be released last: not under the lock.
  func change<Result>(_ body: (inout NameClaims, inout [Injector]) -> Result) -> Result where Result: Sendable {
    let (result, seen) = withLock { claims in
      var seen: [Injector] = []
      let result = body(&claims, &seen)
      return (result, seen)
    }
    withExtendedLifetime(seen) {}
    return result
  }
}

extension Environment {
  private struct Known {
    var environments: [String: Environment] = [:]
    var limit = 16

    /// Forgets names that no code has any more.
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

  /// Of an injector that is closed, another one takes the name over, if there is one.
  func giveUp(_ injector: Injector) { change(for: injector) { claims, _ in claims.moveBack(injector) } }

  /// How many injectors have the name of one, if it was looked up although several have.
  func contenders(with injector: Injector) -> Int? {
    var count: Int?
    change(for: injector) { claims, seen in count = claims.contenders(&seen) }
    return count
  }

  /// Whether the name finds an injector.
  func finds(_ injector: Injector) -> Bool {
    var found: Injector?
    change(for: injector) { claims, _ in found = claims.present }
    return found === injector
  }

  private func change(for injector: Injector, _ body: (inout NameClaims, inout [Injector]) -> Void) {
    if injector.sandbox == 0 { return claims.change(body) }
    Layers.redirection?.change(self, body)
  }

  /// Adds an injector that was created with this name.
  func claim(for injector: Injector) {
    guard injector.sandbox != 0, let redirection = Layers.redirection else { return claimOutside(for: injector) }
    redirection.claim(self, for: injector)
  }
}
