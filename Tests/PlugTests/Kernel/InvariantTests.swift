import TestSupport
import Testing

@testable import Plug

extension Injector {
  /// What does not hold, although no request, load or closing is under way.
  fileprivate var faults: [String] {
    let (phase, table, sealed, kept, isBusy) = state.withLock { state in
      (state.phase, state.table, state.sealed, state.kept, !state.loads.isEmpty || !state.leaving.isEmpty)
    }
    var faults: [String] = []
    func require(_ holds: Bool, _ rule: String) { if !holds { faults.append(rule) } }
    require(!isBusy, "nothing is loaded or closed")
    require((phase == .sealed) == (sealed != nil && phase != .closed), "a sealed injector has a sealed table")
    let registered = table.cells + (sealed?.cells ?? [])
    require(table.cells.count == table.count, "a table counts its cells")
    require(table.cells.allSatisfy { table[$0.registration.key] === $0 }, "a table finds its cells by their keys")
    require(Set(registered.map(\.registration.key)).count == registered.count, "a key is registered once")
    require(Set(kept.cells.map(ObjectIdentifier.init)).count == kept.cells.count, "a cell is kept once")
    let retired = kept.cells.count(where: \.isRetired)
    require(retired <= kept.cells.count / 2 + 24, "at most half of a long list is retired")
    require(phase != .closed || kept.isEmpty && table.count == 0, "a closed injector keeps nothing")
    for cell in kept.cells where cell.isOwn {
      let similar = cell.arguments.map { kept.cells(of: cell.registration, $0.hash) }
      let found = similar ?? [kept.cell(of: cell.registration)].compactMap(\.self)
      require(found.contains { $0 === cell }, "an own cell is found by its registration")
      let count = kept.cells.count { $0.isOwn(of: cell.registration, nil) }
      require(cell.arguments != nil || count == 1, "a registration has one own cell")
    }
    for cell in registered.flatMap(\.parts) + kept.cells {
      cell.claim.withLock { claim in
        let hasInstance = cell.published.box != nil
        switch claim.stage {
        case .idle: require(!hasInstance, "an idle cell has published nothing")
        case .making: require(false, "nothing is made")
        case .published: require(hasInstance, "a published cell has an instance")
        case .retired(let making): require(making == nil, "a retired cell makes nothing")
        }
        require(claim.waiters.isEmpty && claim.rare?.task == nil, "nothing waits for a cell")
      }
    }
    return faults
  }
}

@Suite("The invariants of an injector")
struct InvariantTests {
  private struct Failure: Error {}

  @Test("hold after each of 300 random operations on it and on its scopes", arguments: 1...4 as ClosedRange<UInt64>)
  func operations(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let root = Injector("root", allowRewrite: true)
    var scopes = [root, root.makeScope("scope")]
    for turn in 0..<300 {
      let (injector, key) = (random.pick(from: scopes), Injector.Tag(rawValue: "\(random.number(in: 0...20))"))
      let operation = random.number(in: 0...15)
      switch operation {
      case 0...3: _ = try? injector.register(Instance.self, tag: key, injection(&random))
      case 4...8: _ = try? injector.get(Instance.self, tag: key)
      case 9: _ = try? injector.get(Instance.self, tag: key, with: random.number(in: 0...9))
      case 10: _ = try? injector.unregister(Instance.self, tag: key)
      case 11:
        _ = try? injector.register(Instance.self, tag: key, taking: Int.self, lifetime: .lazySingleton) { number, _ in
          Instance("\(number)")
        }
      case 12: injector.reset()
      case 13: try? injector.decorate(Instance.self, tag: key) { inner, _ in Instance(inner.name + "!") }
      case 14: scopes.append(injector.makeScope("scope"))
      default:
        if scopes.count > 3 { scopes.remove(at: random.number(in: 1...(scopes.count - 1))).closeNow() }
      }
      for scope in [root, injector] { #expect(scope.faults == [], "after operation \(operation), \(turn)") }
    }
    try root.seal()
    for scope in scopes { _ = try? scope.get(Instance.self, tag: "1") }
    #expect(root.faults == [])
    for scope in scopes.reversed() { scope.closeNow() }
    for scope in scopes { #expect(scope.faults == []) }
  }

  private func injection(_ random: inout SplitMix64) -> Injection<Instance> {
    let isFailing = random.chance(20)
    let make: @Sendable () throws -> Instance = {
      if isFailing { throw Failure() }
      return Instance()
    }
    let injection: Injection<Instance> =
      switch random.number(in: 0...5) {
      case 0: .singleton(Instance())
      case 1: .lazySingleton(make)
      case 2: .weakSingleton(make)
      case 3: .scoped(make)
      case 4: .factory(make)
      default: .lazySingleton(make).configure { _, _ in if isFailing { throw Failure() } }
      }
    return random.chance(30) ? injection.onClose { _ in } : injection
  }
}
