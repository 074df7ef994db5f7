import AllocationCounter
import Foundation
import Plug

protocol Network: Sendable {}
final class HTTPNetwork: Network {}

struct Shopper: Sendable {
  var age = 42
}

struct Screen {
  @Injected(.screens) var network: any Network
}

extension Injector.Name { static let screens: Self = "screens" }

/// Counts the allocations of what is to make none, and of one instance, which shows that counting works.
@main
enum Allocations {
  static func main() throws {
    let sealed = Injector("sealed")
    let open = Injector(.screens)
    for injector in [sealed, open] {
      try injector.register(as: Network.self, injectable: .lazySingleton { HTTPNetwork() })
      try injector.register(as: Network.self, tag: "replica", injectable: .lazySingleton { HTTPNetwork() })
    }
    try sealed.seal()
    let screen = Screen()
    let point = PluginPoint<any Network, Shopper>("networks") {
      Candidate("child") { HTTPNetwork() }.when(Rule("is a child") { $0.age < 18 })
      PluginPoint("grown up", when: Rule("is grown up") { $0.age >= 18 }) {
        Candidate("adult") { HTTPNetwork() }.when(Rule("is an adult") { $0.age < 65 } && .enabled)
      }
    }

    var isFine = true
    func expect(_ expected: UInt64, _ title: String, _ body: () throws -> Void) rethrows {
      try body()
      let before = allocation_count()
      for _ in 0..<1000 { try body() }
      let found = allocation_count() - before
      print("\(found == expected * 1000 ? "ok  " : "FAIL") \(title): \(found) allocations in 1000 rounds")
      if found != expected * 1000 { isFine = false }
    }
    expect(1, "a new instance by hand") { use(HTTPNetwork()) }
    try expect(0, "get of a built singleton, sealed") { use(try sealed.get(Network.self)) }
    try expect(0, "get of a built singleton, not sealed") { use(try open.get(Network.self)) }
    try expect(0, "get of a built singleton with a tag, sealed") { use(try sealed.get(Network.self, tag: "replica")) }
    try expect(0, "get of a built singleton with a tag, not sealed") { use(try open.get(Network.self, tag: "replica")) }
    expect(0, "read of an @Injected property") { use(screen.network) }
    expect(0, "first(in:) of a point of built singletons") { use(point.first(in: Shopper())) }
    if !isFine { exit(1) }
  }

  @inline(never)
  @_optimize(none)
  private static func use(_ value: some Any) {}
}
