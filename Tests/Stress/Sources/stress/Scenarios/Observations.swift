import Plug
import PlugKeys
import Synchronization
import TestSupport

extension Scenario {
  /// Properties that several threads set while observers get, set, register, open scopes and cancel themselves.
  static let observations = Scenario("observations") { round, crew in
    var random = round.random
    let injector = Injector("observations", allowRewrite: true)
    let scope = injector.makeScope("scope")
    let source = Source("service", in: injector, round)
    try injector.register(as: Product.self, tag: "scoped", injectable: .scoped { source.make(from: $0) })
    let isOverridden = random.chance(30)
    if isOverridden { scope[Level.self] = -1 }
    let watchers = (0..<random.number(in: 1...4)).map { index in
      let (act, isScoped) = (random.pick("nothing", "get", "set", "register", "scope"), random.chance(40))
      let watcher = Watcher(round, act: act, isScoped ? scope : injector)
      round.note("observer \(index) of \(watcher.injector): \(act)")
      return watcher
    }
    for watcher in watchers { watcher.start() }
    let threads = random.number(in: 1...4)
    crew.run(
      (0..<threads).map { thread in
        let (turns, isScoped) = (random.number(in: 1...10), random.chance(30))
        let cancelled = random.chance(30) ? random.pick(from: watchers) : nil
        round.note("thread \(thread) sets \(turns) times\(isScoped ? " in the scope" : "")")
        return {
          for turn in 0..<turns { (isScoped ? scope : injector)[Level.self] = thread * 100 + turn }
          cancelled?.cancel()
        }
      })
    for watcher in watchers { watcher.expectLast() }
    for watcher in watchers { watcher.cancel() }
    scope.closeNow()
    injector.closeNow()
  }
}

private enum Level: Property { static var defaultValue: Int { 0 } }
private enum Echo: Property { static var defaultValue: Int { 0 } }

/// An observer that performs another act in its closure.
private final class Watcher: Sendable {
  let injector: Injector
  private let round: Round
  private let act: String
  private let last = Locked<Int?>(nil)
  private let looks = Atomic(0)
  private let hasEnded = Atomic(false)
  private let token = Locked<ObservationToken?>(nil)

  init(_ round: Round, act: String, _ injector: Injector) {
    (self.round, self.act, self.injector) = (round, act, injector)
  }

  func start() {
    let observation = injector.observe(Level.self, sendsCurrentValue: true) { [self] in receive($0) }
    token.withLock { $0 = observation }
  }

  private func receive(_ value: Int) {
    let others = looks.add(1, ordering: .sequentiallyConsistent).oldValue
    round.expect(others == 0, "one observer was called \(others + 1) times at once")
    round.expect(!hasEnded.load(ordering: .sequentiallyConsistent), "an observer was called after it was cancelled")
    switch act {
    case "get": _ = injector[Level.self]
    case "set": injector[Echo.self] = value
    case "register": _ = try? injector.register(as: Int.self, injectable: .singleton(value))
    case "scope":
      let scope = injector.makeScope("observer")
      _ = try? scope.get(Product.self, tag: "scoped")
      scope.closeNow()
    default: break
    }
    last.withLock { $0 = value }
    looks.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Every observer that is still registered has seen the last value.
  func expectLast() {
    if hasEnded.load(ordering: .sequentiallyConsistent) { return }
    let (seen, value) = (last.current, injector[Level.self])
    round.expect(seen == value, "an observer of \(injector) saw \(seen.map(String.init) ?? "nothing"), not \(value)")
  }

  func cancel() {
    let observation = token.withLock { token in
      defer { token = nil }
      return token
    }
    observation?.cancel()
    if observation != nil { hasEnded.store(true, ordering: .sequentiallyConsistent) }
  }
}
