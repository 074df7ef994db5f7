import Foundation
import PlugIsolation
import TestSupport
import Testing

@testable import Plug

/// Two features of one program.
private struct Pair: Sendable, CustomTestStringConvertible {
  let features: Set<GridFeature>

  var testDescription: String {
    GridFeature.allCases.filter(features.contains).map(\.rawValue).joined(separator: " × ")
  }

  static var all: [Pair] {
    let all = GridFeature.allCases
    // An inherited point cannot be decorated.
    return all.indices.flatMap { first in all[first...].map { Pair(features: [all[first], $0]) } }
      .filter { $0.features != [.candidate, .decoratorInScope] }
  }
}

/// Waits on a thread for asynchronous work, which belongs to the thread's isolated test.
private func wait<Value: Sendable>(for body: @escaping @Sendable () async throws -> Value) -> Result<Value, any Error> {
  let (outcome, done, isolation) = (
    Setting<Result<Value, any Error>>(), DispatchSemaphore(value: 0), TestIsolation.current
  )
  Task.detached {
    do {
      outcome.set(.success(try await isolation.run(body)))
    } catch {
      outcome.set(.failure(error))
    }
    done.signal()
  }
  Watchdog.wait(for: done, "A load")
  return outcome.value ?? .failure(Failure())
}

extension Setup {
  /// Requests the service in the innermost scope, and checks the outcome.
  fileprivate func request(_ chain: [Injector], isOver: Bool = true) -> GridPart? {
    let scope = chain[chain.count - 1]
    let (get, load) = (get, load)
    let outcome = isLoaded ? wait { try await load(scope) } : Result { try get(scope) }
    switch outcome {
    case .success(let part):
      check(part, chain, isOver: isOver)
      return part
    case .failure(InjectorError.closed) where canClose: break
    case .failure(let error): ledger.note(fault: "\(error)")
    }
    return nil
  }

  /// Requests the service twice, which gives the same instance.
  fileprivate func requestTwice(_ chain: [Injector]) {
    let first = request(chain)
    if request(chain) !== first { ledger.note(fault: "two instances") }
  }

  /// - Parameter isOver: Whether nothing else happens any more.
  private func check(_ part: GridPart, _ chain: [Injector], isOver: Bool) {
    let numbers = chain.map { (Sandbox.current?.copy(of: $0) ?? $0).number }
    for layer in part.layers {
      let expected: UInt? =
        switch (layer.kind, keeper) {
        case (.plain, .root): numbers[0]
        case (.plain, .outer): numbers[1]
        case (.plain, .innermost), (.arguments, _): numbers[numbers.count - 1]
        default: nil
        }
      if let expected, layer.keeper != expected { ledger.note(fault: "a \(layer.kind) instance of another injector") }
      if isOver, layer.isClosed { ledger.note(fault: "a closed \(layer.kind) instance") }
    }
    if part.layers.last?.kind != .plain { ledger.note(fault: "no plain instance") }
  }

  fileprivate func isolating(_ root: Injector, _ body: () throws -> Void) throws {
    if !isIsolated { return try body() }
    try Sandbox.run { _ in
      try override(in: root)
      try body()
    }
  }
}

/// Runs a body on a thread of its own, because it blocks the thread while tasks make what it requests.
///
/// - Returns: The findings of the body and of its ledger, when the tasks of the round have had time to end.
private func findings(_ features: Set<GridFeature>, _ body: @escaping @Sendable (Setup) throws -> Void) async
  -> [String]
{
  await withCheckedContinuation { continuation in
    startThread {
      let setup = Setup(features)
      do {
        try body(setup)
      } catch {
        setup.ledger.note(fault: "\(error)")
      }
      let end = ContinuousClock.now + .seconds(10)
      while !setup.ledger.findings.isEmpty, !setup.ledger.hasFault, ContinuousClock.now < end { yieldThread() }
      continuation.resume(returning: setup.ledger.findings)
    }
  }
}

@Suite("A program with two features", .repeatable, .serialized)
struct FeatureGridTests {
  @Test("gives open instances of its own scopes and leaves nothing behind, on one thread", arguments: Pair.all)
  fileprivate func oneThread(_ pair: Pair) async throws {
    for level in Setup(pair.features).levels {
      for isDuring in [false, true] {
        let findings = await findings(pair.features) { setup in try run(setup, level: level, isDuring: isDuring) }
        #expect(findings == [], "level \(level), \(isDuring ? "during" : "after") a request")
      }
    }
  }

  @Test("does so on two threads", arguments: Pair.all)
  fileprivate func twoThreads(_ pair: Pair) async throws {
    let crew = Crew(size: 2)
    defer { crew.dismiss() }
    try await Rounds.run(4) { round in
      let findings = await findings(pair.features) { setup in try run(setup, round, crew) }
      #expect(findings == [])
    }
  }
}

/// Requests the service before and after, or during, the events of one injector.
private func run(_ setup: Setup, level: Int, isDuring: Bool) throws {
  let chain = try setup.open()
  let happen: @Sendable () -> Void = { for event in setup.events { event(chain[level]) } }
  try setup.isolating(chain[0]) {
    if isDuring { setup.ledger.atNextMaking(happen) } else { setup.requestTwice(chain) }
    let first = setup.request(chain)
    if !isDuring { happen() }
    setup.requestTwice(chain)
    withExtendedLifetime(first) {}
  }
  for injector in chain.reversed() { injector.closeNow() }
}

/// Requests the service on two threads, one of which causes the events.
private func run(_ setup: Setup, _ round: Round, _ crew: Crew) throws {
  let chain = try setup.open()
  var random = round.random
  let (level, delays) = (random.number(in: setup.levels), [random.delay(), random.delay()])
  let isRequesting = [setup.events.isEmpty || random.chance(30), true]
  try setup.isolating(chain[0]) {
    let isolation = TestIsolation.current
    crew.run(
      [0, 1].map { thread in
        {
          isolation.run {
            pause(delays[thread])
            let part = isRequesting[thread] ? setup.request(chain, isOver: setup.events.isEmpty) : nil
            if thread == 0 { for event in setup.events { event(chain[level]) } }
            withExtendedLifetime(part) {}
          }
        }
      })
    setup.requestTwice(chain)
  }
  if random.chance(50) { for injector in chain.reversed() { injector.closeNow() } }
}
