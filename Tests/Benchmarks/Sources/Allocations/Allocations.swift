import AllocationCounter
import Foundation
import Plug
import PlugKeys
import PlugOperations
import PlugTesting

protocol Network: Sendable {}
final class HTTPNetwork: Network {}

struct Shopper: Sendable {
  var age = 42
}

struct Screen {
  @Injected(.screens) var network: any Network
}

extension Injector.Name { static let screens: Self = "screens" }
extension Injector.Tag { static let replica: Self = "replica" }

enum Address: Property { static var defaultValue: String { "https://shop.example/a/path/that/needs/memory" } }
enum LoadedNetwork: Feature { static func load(in injector: Injector) -> any Network { HTTPNetwork() } }

extension Injector {
  var network: Provider<any Network> { provide(.lazySingleton { HTTPNetwork() }) }
  var newNetwork: Provider<any Network> { provide(.factory { HTTPNetwork() }) }
  var listing: Provider<any Network, Int> { provide { _, _ in HTTPNetwork() } }

  /// One of many providers: each number stands for a property at a line of its own.
  func network(_ number: Int) -> Provider<any Network> {
    provide(.lazySingleton { HTTPNetwork() }, name: "network", line: UInt(number))
  }
}

/// Counts the allocations of calls that should make none, and the blocks that stay after calls that should leave none.
/// Of each there is one case that does, which shows that counting works.
@main
enum Allocations {
  static func main() throws {
    var check = Check()
    try countAllocations(&check)
    try countAllocationsOfFlags(&check)
    try countScopes(&check)
    try countBlocks(&check)
    countBlocksOfKeys(&check)
    try countBlocksOfIsolation(&check)
    if !check.isFine { exit(1) }
  }

  private static func countAllocations(_ check: inout Check) throws {
    let sealed = Injector("sealed")
    let open = Injector(.screens)
    for injector in [sealed, open] {
      try injector.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
      try injector.register(as: Network.self, tag: "replica", injectable: .lazySingleton { HTTPNetwork() })
      try injector.register(Network.self, taking: Int.self) { _, _ in HTTPNetwork() }
    }
    try sealed.seal()
    let screen = Screen()
    let point = PluginPoint<any Network, Shopper>("networks") {
      Candidate("child") { HTTPNetwork() }.when(Rule("is a child") { $0.age < 18 })
      PluginPoint("grown up", when: Rule("is grown up") { $0.age >= 18 }) {
        Candidate("adult") { HTTPNetwork() }.when(Rule("is an adult") { $0.age < 65 } && .always)
      }
    }
    check.allocations(of: "a new instance by hand", are: 1) { use(HTTPNetwork()) }
    try check.allocations(of: "get of a built singleton, sealed", are: 0) { use(try sealed.get(Network.self)) }
    try check.allocations(of: "get of a built singleton, not sealed", are: 0) { use(try open.get(Network.self)) }
    try check.allocations(of: "get of a built singleton with a tag, sealed", are: 0) {
      use(try sealed.get(Network.self, tag: .replica))
    }
    try check.allocations(of: "get of a built singleton with a tag, not sealed", are: 0) {
      use(try open.get(Network.self, tag: .replica))
    }
    for (injector, state) in [(sealed, "sealed"), (open, "not sealed")] {
      check.allocations(of: "read of a property, \(state)", are: 0) { use(injector[Address.self].utf8.count) }
      check.allocations(of: "loaded feature, \(state)", are: 0) { use(injector[LoadedNetwork.self]) }
      check.allocations(of: "provider, \(state)", are: 0) { use(injector.network()) }
      check.allocations(of: "each of 10 providers, \(state)", are: 0) {
        for number in 0..<10 { use(injector.network(number)()) }
      }
      check.allocations(of: "each of 1000 providers, \(state)", are: 0) {
        for number in 0..<1000 { use(injector.network(number)()) }
      }
      // A limit that is higher than it was has the former one behind it.
      check.allocations(of: "provider of a factory, \(state)", are: 2) { use(injector.newNetwork()) }  // 1
      // The closure that the provider declares is one, too.
      check.allocations(of: "provider that takes arguments, \(state)", are: 5) { use(injector.listing(4)) }  // 2
      try check.allocations(of: "get with arguments, \(state)", are: 3) {  // 1
        use(try injector.get(Network.self, with: 4))
      }
    }
    check.allocations(of: "read of an @Injected property", are: 0) { use(screen.network) }
    check.allocations(of: "first(in:) of a point of built singletons", are: 2) {  // 0
      use(point.first(in: Shopper()))
    }
    let chosen = Injector("chosen")
    try chosen.register(point)
    try check.allocations(of: "get in a context", are: 2) {  // 0
      use(try chosen.get((any Network).self, in: Shopper()))
    }
    let token = chosen.onSelection { use($0.candidate) }
    try check.allocations(of: "get in a followed context", are: 5) {  // 0
      use(try chosen.get((any Network).self, in: Shopper()))
    }
    token.cancel()
  }

  private static func countBlocks(_ check: inout Check) throws {
    var instances: [any Network] = []
    instances.reserveCapacity(20_000)
    check.growth(in: 10_000, of: "keeping each instance", is: 10_000) { _ in instances.append(HTTPNetwork()) }

    let injector = Injector()
    try check.growth(in: 1_000_000, of: "register, get, unregister", is: 0) { _ in
      try injector.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
      use(try injector.get(Network.self))
      try injector.unregister(Network.self)
    }
    try check.growth(in: 1_000_000, of: "register, get, unregister with another tag each time", is: 0) { round in
      let tag = Injector.Tag(rawValue: "tag \(round)")
      try injector.register(as: Network.self, tag: tag, injectable: .lazySingleton { HTTPNetwork() })
      use(try injector.get(Network.self, tag: tag))
      try injector.unregister(Network.self, tag: tag)
    }
    try check.growth(in: 100_000, of: "injectors that come, are sealed, and go", is: 0) { round in
      let injector = Injector(Injector.Name(rawValue: "injector \(round)"))
      try injector.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
      try injector.seal()
      use(try injector.get(Network.self))
    }
  }

  private static func countBlocksOfKeys(_ check: inout Check) {
    let injector = Injector()
    check.growth(in: 100_000, of: "set, update, observe, cancel", is: 0) { round in
      let token = injector.observe(Address.self) { use($0) }
      injector[Address.self] = "https://shop.example/a/path/that/needs/memory/\(round)"
      injector.update(Address.self) { $0 += "/more" }
      token.cancel()
    }
    check.growth(in: 100_000, of: "load a feature, set it, reset it", is: 0) { _ in
      use(injector[LoadedNetwork.self])
      injector[LoadedNetwork.self] = HTTPNetwork()
      injector.reset(LoadedNetwork.self)
    }
    check.growth(in: 100_000, of: "injectors with keys that come and go", is: 0) { _ in
      let injector = Injector()
      injector[Address.self] = "https://shop.example/another/path/that/needs/memory"
      use(injector.network())
      use(injector.makeScope()[Address.self].utf8.count)
      use(injector.values(of: Address.self))
      use(injector.selections(of: (any Network).self))
    }
  }

  private static func countBlocksOfIsolation(_ check: inout Check) throws {
    let injector = Injector("isolated")
    try injector.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
    try injector.register(injectable: .lazySingleton { injector in [try injector.get(Network.self)] })
    try injector.seal()
    try check.growth(in: 100_000, of: "isolated tests that override, make, set, and end", is: 0) { _ in
      try withIsolatedInjectors {
        try injector.override(as: Network.self, injectable: .singleton(HTTPNetwork()))
        use(try injector.get([any Network].self))
        injector[Address.self] = "https://shop.example/yet/another/path/that/needs/memory"
        use(Lazy { HTTPNetwork() }.instance)
        use(injector.makeScope()[Address.self].utf8.count)
      }
    }
  }

  @inline(never)
  @_optimize(none)
  static func use(_ value: some Any) {}
}

/// Compares counted with expected allocations.
struct Check {
  private(set) var isFine = true

  mutating func allocations(of title: String, are expected: Int, _ body: () throws -> Void) rethrows {
    try body()
    let before = allocation_count()
    for _ in 0..<1000 { try body() }
    let found = Int(allocation_count() - before)
    report("\(title): \(found) allocations in 1000 rounds", found == expected * 1000)
  }

  /// Whether the number of blocks equals the expected one, but for blocks of caches and tables.
  mutating func growth(in rounds: Int, of title: String, is expected: Int64, _ body: (Int) throws -> Void) rethrows {
    for round in 0..<10_000 { try body(round) }
    let before = allocation_live()
    for round in 0..<rounds { try body(round + 10_000) }
    let found = allocation_live() - before
    report("\(title): \(found) more blocks after \(rounds) rounds", abs(found - expected) < 100)
  }

  private mutating func report(_ text: String, _ isExpected: Bool) {
    print(isExpected ? "ok   " : "FAIL ", text, separator: "")
    if !isExpected { isFine = false }
  }
}
