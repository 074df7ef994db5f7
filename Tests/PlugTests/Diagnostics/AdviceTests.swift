import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private final class Panel: Sendable {}

private struct Limit: Sendable {}

private struct Pager: Sendable {
  init(limit: Limit = Limit()) {}
}

private enum Shop {
  struct ItemID: Hashable, Sendable {}
  protocol Price: Sendable {}
}

extension Injector {
  fileprivate var panel: Provider<Panel> {
    provide(
      .lazySingleton {
        await Task.yield()
        return Panel()
      })
  }
}

/// The advice in an error.
private func advice(_ body: () throws(InjectorError) -> Void) -> [Substring] {
  do throws(InjectorError) {
    try body()
    return ["nothing was thrown"]
  } catch {
    return error.description.split(separator: "\n").drop { $0 != "To fix this:" }.dropFirst().map { $0.dropFirst(4) }
  }
}

@Suite("The advice of an error")
struct AdviceTests {
  @Test("advises a single get only for an instance that is kept", arguments: [Lifetime.lazySingleton, .factory])
  func madeOnce(lifetime: Lifetime) throws {
    let injector = Injector("advice")
    let isKept = lifetime == .lazySingleton
    try injector.register(
      injectable: isKept ? .lazySingleton { @MainActor in Panel() } : .factory { @MainActor in Panel() })
    let once = "Get it once on the main actor, for example at launch. After that, any thread can get it."
    let load = "oad it from any actor: try await Injector[\"advice\"].load(Panel.self)."
    #expect(
      advice { () throws(InjectorError) in _ = try injector.get(Panel.self) }
        == (isKept ? [Substring(once), Substring("Or l" + load)] : [Substring("L" + load)]))
  }

  @Test("says how to use a default argument that a wired initializer ignores")
  func defaultArgument() throws {
    let injector = Injector("advice")
    try injector.register(injectable: .factory(wiring: Pager.init(limit:)))
    #expect(
      advice { () throws(InjectorError) in _ = try injector.get(Pager.self) } == [
        "Register it before you ask for it: try Injector[\"advice\"].register(Limit.self, …).",
        "For a default argument, call the initializer in a closure: wiring: uses none.",
      ])
  }

  @Test("recommends a load or a hop to the main actor for an instance that another request or scope makes again")
  func madeAgain() throws {
    let injector = Injector("advice")
    try injector.register(injectable: .weakSingleton { @MainActor in Panel() })
    try injector.register(tag: "each", injectable: .graph { @MainActor in Panel() })
    try injector.register(tag: "scoped", injectable: .scoped { @MainActor in Panel() })
    try injector.register(Panel.self, taking: Int.self) { @MainActor _, _ in Panel() }
    try injector.register(Panel.self, taking: String.self, lifetime: .lazySingleton) { @MainActor _, _ in Panel() }
    let scope = injector.makeScope()
    let weak = WeakLazy { @MainActor in Panel() }
    #expect(
      [
        advice { () throws(InjectorError) in _ = try injector.get(Panel.self) },
        advice { () throws(InjectorError) in _ = try injector.get(Panel.self, tag: "each") },
        advice { () throws(InjectorError) in _ = try scope.get(Panel.self, tag: "scoped") },
        advice { () throws(InjectorError) in _ = try injector.get(Panel.self, with: 3) },
        advice { () throws(InjectorError) in _ = try injector.get(Panel.self, with: "three") },
        advice { () throws(InjectorError) in _ = try weak.get() },
      ] == [
        ["Load it from any actor: try await Injector[\"advice\"].load(Panel.self)."],
        ["Load it from any actor: try await Injector[\"advice\"].load(Panel.self, tag: \"each\")."],
        ["Load it from any actor: try await load(Panel.self, tag: \"scoped\")."],
        ["Hop to the main actor: try await MainActor.run { try Injector[\"advice\"].get(Panel.self, with: …) }."],
        ["Hop to the main actor: try await MainActor.run { try Injector[\"advice\"].get(Panel.self, with: …) }."],
        ["Get it in a @MainActor function."],
      ])
  }

  @Test("names an injector only by an expression that compiles")
  func expressions() throws {
    func expression(_ injector: Injector) -> String? { Injector.Path(injector).expression }
    #expect(expression(.default) == "Injector.default")
    #expect(expression(Injector("the \"shop\"")) == "Injector[\"the \\\"shop\\\"\"]")
    #expect(expression(Injector()) == nil)
    #expect(expression(Injector("shop").makeScope("request")) == nil)
    #expect(expression(Injector["the \"other\" shop"]) == "Injector[\"the \\\"other\\\" shop\"]")
  }

  @Test("shows how to load a provider, with an injector or without")
  func loading() {
    let injectors = [Injector("advice"), Injector()]
    #expect(
      injectors.map { injector in advice { () throws(InjectorError) in _ = try injector.panel.get() } } == [
        [
          "Load it: try await Injector[\"advice\"].panel.load().",
          "Or start the injector before you use it: try await Injector[\"advice\"].start().",
        ],
        [
          "Load it: try await panel.load().",
          "Or start the injector before you use it: try await start().",
        ],
      ])
  }

  @Test("of a second registration mentions rules only if the service can have some")
  func withoutCandidates() throws {
    let injector = Injector()
    try injector.register(Panel.self, taking: Int.self) { _, _ in Panel() }
    #expect(
      advice { () throws(InjectorError) in
        try injector.register(Panel.self, taking: Int.self) { _, _ in Panel() }
      } == [
        "Remove one of the two registrations, or give one of them a tag: tag: \"…\".",
        "Or unregister the first, or create the injector with allowRewrite: true.",
      ])
  }

  @Test("of a service that requests itself with arguments without end is to end")
  func argumentsWithoutEnd() throws {
    let injector = Injector()
    try injector.register(Panel.self, taking: Int.self) { number, injector in
      try injector.get(Panel.self, with: number + 1)
    }
    #expect(
      advice { () throws(InjectorError) in _ = try injector.get(Panel.self, with: 1) } == [
        "Let Panel(Int) request itself with arguments that lead to an end.",
        "Or run the first get on a thread with a larger stack.",
      ])
  }

  @Test("names the types of arguments as code spells them")
  func argumentTypes() throws {
    let injector = Injector("advice")
    let register = "Register it before you ask for it: try Injector[\"advice\"].register(Panel.self, taking: "
    func types<each Argument: Sendable>(_ arguments: repeat each Argument) -> String? {
      let error = #expect(throws: InjectorError.self) {
        try injector.get(Panel.self, with: "first", repeat each arguments)
      }
      let line = error?.description.split(separator: "\n").last { $0.contains(register) }
      return line.map { String($0.dropFirst(register.count + 4)) }
    }
    let check: @Sendable (Shop.ItemID) -> Bool = { _ in true }
    let price: (any Shop.Price)? = nil
    #expect(
      types(Shop.ItemID(), check) == "String.self, Shop.ItemID.self, (@Sendable (Shop.ItemID) -> Bool).self) { … }.")
    #expect(types([String: any Shop.Price]()) == "String.self, Dictionary<String, Shop.Price>.self) { … }.")
    #expect(types(price, (1, "one")) == "String.self, Optional<Shop.Price>.self, (Int, String).self) { … }.")
  }
}
