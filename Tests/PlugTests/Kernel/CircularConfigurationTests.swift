import Synchronization
import TestSupport
import Testing

@testable import Plug

/// A service that gets its partner in its configuration.
private final class Part: Sendable {
  let maker: String?
  let needs: Part?
  private let state = Locked<(partner: Part?, isConfigured: Bool)>((nil, false))

  init(_ maker: String? = nil, needs: Part? = nil) {
    (self.maker, self.needs) = (maker, needs)
  }

  var partner: Part? { state.withLock { $0.partner } }
  var isConfigured: Bool { state.withLock { $0.isConfigured } }

  func configure(partner: Part? = nil) {
    state.withLock { $0 = (partner, true) }
  }
}

extension Injector {
  fileprivate func part(_ tag: Tag) throws(InjectorError) -> Part { try get(Part.self, tag: tag) }

  fileprivate func register(_ tag: Tag, _ injection: Injection<Part>) throws {
    try register(tag: tag, injectable: injection)
  }
}

@Suite("A configuration in a circle")
struct CircularConfigurationTests {
  let injector = Injector("root")
  let log = Log()

  @Test("is put aside, and runs again when the instance that it requested has been made")
  func order() throws {
    let log = log
    try injector.register(
      "top",
      .factory { injector in
        let outer = try injector.part("outer")
        log.add("top has outer")
        return Part(needs: outer)
      })
    try injector.register(
      "outer",
      .lazySingleton { injector in
        let inner = try injector.part("inner")
        log.add("outer has inner, configured: \(inner.isConfigured)")
        _ = try injector.part("other")
        return Part(needs: inner)
      }.configure { part, _ in
        log.add("configure outer")
        part.configure()
      })
    try injector.register(
      "inner",
      .lazySingleton { Part() }.configure { part, injector in
        log.add("configure inner")
        part.configure(partner: try injector.part("outer"))
        log.add("configured inner")
      })
    try injector.register("other", .lazySingleton { Part() }.configure { _, _ in log.add("configure other") })
    let outer = try #require(try injector.part("top").needs)
    #expect(
      log.lines == [
        "configure inner", "outer has inner, configured: false", "configure other", "configure outer",
        "configure inner", "configured inner", "top has outer",
      ])
    #expect(outer.needs?.partner === outer)
    outer.needs?.configure()
  }

  @Test("makes nothing twice if it leads to the instance around it by way of an instance that others wait for")
  func waitingInside() throws {
    let made = Log()
    func register(_ tag: Injector.Tag, needs: [Injector.Tag] = [], configuredWith partner: Injector.Tag? = nil) throws {
      try injector.register(
        tag,
        .lazySingleton { injector in
          for tag in needs { _ = try injector.part(tag) }
          made.add(tag.rawValue)
          return Part()
        }.configure { part, injector in
          part.configure(partner: try partner.map { try injector.part($0) })
        })
    }
    try register("outer", needs: ["link"])
    try register("link", configuredWith: "hub")
    try register("hub", needs: ["spoke", "outer"])
    try register("spoke", configuredWith: "hub")
    _ = try injector.part("outer")
    let (hub, link, spoke) = (try injector.part("hub"), try injector.part("link"), try injector.part("spoke"))
    #expect(made.lines == ["link", "spoke", "outer", "hub"])
    #expect(link.partner === hub && spoke.partner === hub)
  }

  @Test(
    "waits for the instance of its own scope, while an inner scope makes the same service", arguments: [true, false])
  func scopes(isCircularInside: Bool) throws {
    try injector.register(
      "link",
      .scoped { (injector: Injector) in Part(injector.path) }.configure { part, injector in
        part.configure(partner: try injector.part("hub"))
      })
    try injector.register(
      "hub",
      .scoped { injector in
        if injector.path == "root/outer" {
          let link = try injector.part("link")
          let hub = try injector.makeScope("inner").part("hub")
          #expect(hub.maker == "root/outer/inner")
          #expect(hub.needs.map { $0.partner === hub } ?? !isCircularInside)
          hub.needs?.configure()
          return Part(injector.path, needs: link)
        }
        return Part(injector.path, needs: isCircularInside ? try injector.part("link") : nil)
      })
    let outer = injector.makeScope("outer")
    let (hub, link) = (try outer.part("hub"), try outer.part("link"))
    #expect(hub.maker == "root/outer" && link.maker == "root/outer")
    #expect(link.partner === hub && hub.needs === link)
    link.configure()
  }

  @Test("does not disturb the configuration of the same service that runs around it for an outer scope")
  func nested() throws {
    let log = log
    try injector.register(
      "link",
      .scoped { (injector: Injector) in Part(injector.path) }.configure { part, injector in
        log.add("configure link in \(injector.path ?? "")")
        if injector.path == "root/outer" {
          part.configure(partner: try injector.makeScope("inner").part("hub"))
        } else {
          // Both requests are part of the circle, and the first error is ignored.
          let hubs = (0..<2).map { _ in try? injector.part("hub") }
          part.configure(partner: hubs[1])
        }
      })
    try injector.register("hub", .scoped { injector in Part(injector.path, needs: try injector.part("link")) })
    let link = try injector.makeScope("outer").part("link")
    #expect(
      log.lines == [
        "configure link in root/outer", "configure link in root/outer/inner", "configure link in root/outer/inner",
      ])
    let hub = try #require(link.partner)
    #expect(hub.maker == "root/outer/inner" && hub.needs?.partner === hub)
    hub.needs?.configure()
  }

  @Test("of an unshared instance is an error if it leads to another instance of the service, which would not end")
  func endless() throws {
    let runs = Counter()
    for (tag, other) in [("a", "b"), ("b", "a"), ("self", "self")] {
      try injector.register(
        Injector.Tag(rawValue: tag),
        .factory { Part() }.configure { _, injector in
          if runs.increment() < 50 { _ = try injector.part(Injector.Tag(rawValue: other)) }
        })
    }
    try injector.register("needing", .factory { Part(needs: try $0.part("needed")) })
    try injector.register("needed", .factory { Part() }.configure { _, injector in _ = try injector.part("needing") })
    let names = ["a", "b", "self", "needed", "needing"]
    let paths = names.map { injector.outcome(Part.self, tag: Injector.Tag(rawValue: $0)).circularPath }
    let circles = ["a b a", "b a b", "self self", "needing needed needing", "needing needed needing"]
    #expect(paths == circles.map { $0.split(separator: " ").map { "Part (tag \"\($0)\")" } })
    #expect(runs.value < 50)
  }

  @Test("of an unshared instance ends also if it ignores the errors and asks again")
  func ignoring() throws {
    let runs = Counter()
    try injector.register(
      "self",
      .factory { Part() }.configure { _, injector in
        runs.increment()
        for _ in 0..<3 { _ = try? injector.part("self") }
      })
    _ = try injector.part("self")
    #expect(runs.value < 100)
  }

  @Test("is part of no circle if a shared instance requests itself")
  func itself() throws {
    let runs = Counter()
    let configure: @Sendable (Part, Injector) throws -> Void = { part, injector in
      runs.increment()
      let found = try injector.part(part.maker == "graph" ? "graph" : "kept")
      #expect(found === part)
    }
    try injector.register("graph", .graph { Part("graph") }.configure(configure))
    try injector.register("kept", .lazySingleton { Part("kept") }.configure(configure))
    #expect(try [injector.part("graph").maker, injector.part("kept").maker] == ["graph", "kept"])
    #expect(runs.value == 2)
  }

  @Test("does not matter to later requests")
  func memory() throws {
    let isCircular = Atomic(false)
    try injector.register(
      "link",
      .scoped { Part() }.configure { part, injector in
        if isCircular.load(ordering: .relaxed) { _ = try injector.part("hub") }
        part.configure()
      })
    try injector.register("hub", .scoped { Part(try $0.part("link").isConfigured ? "configured" : "unconfigured") })
    var seen: [String?] = []
    for isNowCircular in [false, true, false, true, false] {
      isCircular.store(isNowCircular, ordering: .relaxed)
      seen.append(try injector.makeScope().part("hub").maker)
    }
    #expect(seen == ["configured", "unconfigured", "configured", "unconfigured", "configured"])
  }

  @Test("may use a scope that its factory has opened, also when it runs again", arguments: ["owner", "around"])
  func scopeOfFactory(first: String) throws {
    let scopes = Locked<[Injector]>([])
    try injector.register("scoped", .scoped { (injector: Injector) in Part(injector.path) })
    try injector.register(
      "owner",
      .lazySingleton { injector in
        scopes.withLock { $0.append(injector.makeScope("own")) }
        return Part()
      }.configure { part, injector in
        _ = try injector.part("around")
        part.configure(partner: try scopes.current[0].part("scoped"))
      })
    try injector.register("around", .lazySingleton { Part(needs: try $0.part("owner")) })
    _ = try injector.part(Injector.Tag(rawValue: first))
    #expect(try injector.part("around").needs?.partner?.maker == "root/own")
  }

  @Test("releases all that refers to its instance if the requested instance cannot be made, and is made anew")
  func failure() throws {
    let (tries, made) = (Counter(), Counter())
    try injector.register(
      "failing",
      .lazySingleton { injector in
        let needed = try injector.part("needed")
        if tries.increment() == 1 { throw Failure() }
        return Part(needs: needed)
      })
    try injector.register(
      "needed",
      .lazySingleton { Part("\(made.increment())") }.configure { part, injector in
        part.configure(partner: try injector.part("link"))
      })
    try injector.register(
      "link",
      .lazySingleton { Part("\(made.increment())") }.configure { part, injector in
        part.configure(partner: try injector.part("failing"))
      })
    try injector.register(
      "catching",
      .factory { injector in
        _ = try? injector.part("failing")
        return Part(needs: try injector.part("needed"))
      })
    let needed = try #require(try injector.part("catching").needs)
    let link = try #require(needed.partner)
    #expect([needed.maker, link.maker] == ["3", "4"])
    #expect(needed.isConfigured && link.partner?.needs === needed)
    #expect(try link.partner === injector.part("failing"))
    link.configure()
  }
}
