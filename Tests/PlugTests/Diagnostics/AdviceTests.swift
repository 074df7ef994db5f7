import Testing

@testable import Plug

private final class Panel: Sendable {}

extension Injector {
  fileprivate var panel: Provider<Panel> {
    provide(
      .lazySingleton {
        await Task.yield()
        return Panel()
      })
  }
}

/// What an error says to do.
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
  @Test("does not tell to get once what is made anew each time", arguments: [false, true])
  func madeAnew(isShared: Bool) throws {
    let injector = Injector("advice")
    try injector.register(
      injectable: isShared ? .graph { @MainActor in Panel() } : .factory { @MainActor in Panel() })
    #expect(
      advice { () throws(InjectorError) in _ = try injector.get(Panel.self) } == [
        "Get it on the main actor each time: await MainActor.run { try Injector[\"advice\"].get(Panel.self) }."
      ])
    try injector.register(as: Panel.self, taking: Int.self) { @MainActor _, _ in Panel() }
    #expect(
      advice { () throws(InjectorError) in _ = try injector.get(Panel.self, with: 3) } == [
        "Get it on the main actor each time: await MainActor.run { try Injector[\"advice\"].get(Panel.self, with: …) }."
      ])
  }

  @Test("names an injector only by an expression that compiles")
  func expressions() throws {
    func expression(_ injector: Injector) -> String? { InjectorError.Facts.Path(injector).expression }
    #expect(expression(.default) == "Injector.default")
    #expect(expression(Injector("the \"shop\"")) == "Injector[\"the \\\"shop\\\"\"]")
    #expect(expression(Injector()) == nil)
    #expect(expression(Injector("shop").makeScope("request")) == nil)
    #expect(expression(Injector["the \"other\" shop"]) == "Injector[\"the \\\"other\\\" shop\"]")
  }

  @Test("says how to load a provider, with an injector or without")
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

  @Test("of a second registration does not speak of rules where there can be none")
  func withoutCandidates() throws {
    let injector = Injector()
    try injector.register(as: Panel.self, taking: Int.self) { _, _ in Panel() }
    #expect(
      advice { () throws(InjectorError) in
        try injector.register(as: Panel.self, taking: Int.self) { _, _ in Panel() }
      } == [
        "Remove one of the two registrations, or give one of them a tag: tag: \"…\".",
        "Or unregister the first, or create the injector with allowRewrite: true.",
      ])
  }
}
