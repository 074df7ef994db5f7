import Foundation
import TestSupport
import Testing

@testable import Plug

/// A service that gets its partner in its configuration.
private final class Part: Sendable {
  private let state = Locked<(partner: Part?, isConfigured: Bool)>((nil, false))
  /// Whether the service that it needs was configured at that time.
  let seesConfigured: Bool?

  init(seesConfigured: Bool? = nil) {
    self.seesConfigured = seesConfigured
  }

  var partner: Part? { state.withLock { $0.partner } }
  var isConfigured: Bool { state.withLock { $0.isConfigured } }
  var isPaired: Bool { isConfigured && partner?.isConfigured == true && partner?.partner === self }

  func configure(partner: Part? = nil) {
    state.withLock { $0 = (partner, true) }
  }
}

extension Injector {
  fileprivate func part(_ tag: Tag) throws(InjectorError) -> Part { try get(Part.self, tag: tag) }

  fileprivate func register(_ tag: Tag, _ injection: Injection<Part>) throws {
    try register(tag: tag, injectable: injection)
  }

  /// Waits until a thread waits for the instance of a service.
  fileprivate func waitForWaiter(of tag: Tag) {
    let cell = state.withLock { $0.cell(of: Key(Part.self, tag)) }
    while cell?.claim.withLock(\.waiters.isEmpty) ?? false { sched_yield() }
  }
}

@Suite("Configurations of several threads", .serialized)
struct CircularWaitTests {
  let injector = Injector()

  @Test("that wait for each other get a configured instance rather than an unconfigured one")
  func configuredFirst() throws {
    // There is no circle among the services: `holder` configures itself with `shared` and `reader`, and `reader` needs
    // `link`, which configures itself with `shared`. Only the threads wait for each other.
    let (injector, isHeld) = (injector, Rendezvous(2))
    try injector.register("shared", .lazySingleton { Part() })
    try injector.register(
      "link",
      .lazySingleton { Part() }.configure { part, injector in part.configure(partner: try injector.part("shared")) })
    try injector.register("reader", .lazySingleton { Part(seesConfigured: try $0.part("link").isConfigured) })
    try injector.register(
      "holder",
      .lazySingleton { Part() }.configure { part, injector in
        _ = try injector.part("shared")
        isHeld.meet()
        injector.waitForWaiter(of: "shared")
        part.configure(partner: try injector.part("reader"))
      })
    let outcomes = inParallel(
      { injector.outcome(Part.self, tag: "holder").map { $0.partner?.seesConfigured } },
      {
        isHeld.meet()
        return injector.outcome(Part.self, tag: "link").map { $0.isConfigured }
      })
    #expect(try outcomes.map { try $0.get() } == [true, true])
  }

  @Test("that need each other's instances finish together")
  func together() throws {
    let (injector, areMade) = (injector, Rendezvous(2))
    for (tag, other) in [("a", "b"), ("b", "a")] {
      try injector.register(
        Injector.Tag(rawValue: tag),
        .lazySingleton {
          areMade.meet()
          return Part()
        }.configure { part, injector in part.configure(partner: try injector.part(Injector.Tag(rawValue: other))) })
    }
    let outcomes = inParallel(
      { injector.outcome(Part.self, tag: "a").map { ($0, $0.isPaired) } },
      { injector.outcome(Part.self, tag: "b").map { ($0, $0.isPaired) } })
    let found = try outcomes.map { try $0.get() }
    #expect(found.map(\.1) == [true, true])
    #expect(found[0].0.partner === found[1].0)
    found[0].0.configure()
  }

  @Test("are put aside where a factory of one thread waits for an instance around the other")
  func putAside() throws {
    // One thread makes `outer`, whose dependency configures itself with `middle`. Another makes `middle`, whose factory
    // waits for `outer`.
    let (injector, isMaking) = (injector, Rendezvous(2))
    try injector.register("outer", .lazySingleton { Part(seesConfigured: try $0.part("inner").isConfigured) })
    try injector.register(
      "inner",
      .lazySingleton { Part() }.configure { part, injector in
        isMaking.meet()
        part.configure(partner: try injector.part("middle"))
      })
    try injector.register(
      "middle",
      .lazySingleton { injector in
        isMaking.meet()
        let outer = try injector.part("outer")
        let middle = Part()
        middle.configure(partner: outer)
        return middle
      })
    let outcomes = inParallel(
      { injector.outcome(Part.self, tag: "outer") }, { injector.outcome(Part.self, tag: "middle") })
    let (outer, middle) = (try outcomes[0].get(), try outcomes[1].get())
    let inner = try injector.part("inner")
    #expect(outer.seesConfigured == false && middle.partner === outer)
    #expect(inner.isConfigured && inner.partner === middle)
  }
}
