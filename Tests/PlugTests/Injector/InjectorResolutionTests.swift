import Plug
import TestSupport
import Testing

private struct Repository: Sendable {
  let network: any Networking
}

private struct Pair: Sendable {
  let network: any Networking
  let repository: Repository
}

// The bodies of exit tests are functions outside of them, because the macro moves lines.

private func resolveIncomplete() throws {
  let injector = Injector("services")
  try injector.register(as: Repository.self) { try Repository(network: $0.get()) }
  let _: Repository = injector.resolve()
}

private let resolveLine = #line - 3

private func resolveBroken(bySubscript: Bool) throws {
  let injector = Injector("services")
  try injector.register(as: Instance.self) { throw Failure() }
  if bySubscript { _ = injector[Instance.self] } else { let _: Instance? = injector.resolve() }
}

private let resolveBrokenLine = #line - 3

@Suite("Getting a service")
struct InjectorResolutionTests {
  @Test("returns the shared instance of a singleton and a new one of a factory")
  func lifetimes() throws {
    let injector = Injector()
    let given = Instance("given")
    try injector.register(tag: "given", injectable: .singleton(given))
    try injector.register(tag: "lazy given", injectable: .lazySingleton(given) { Instance() })
    try injector.register(tag: "lazy", injectable: .lazySingleton { Instance() })
    try injector.register(tag: "new", injectable: .factory { Instance() })
    #expect(try injector.get(Instance.self, tag: "given") === given)
    #expect(try injector.get(Instance.self, tag: "lazy given") === given)
    let lazy = try injector.get(Instance.self, tag: "lazy")
    #expect(try injector.get(Instance.self, tag: "lazy") === lazy)
    let new = try injector.get(Instance.self, tag: "new")
    #expect(try injector.get(Instance.self, tag: "new") !== new)
  }

  @Test("works in every form")
  func forms() throws {
    let injector = Injector("forms")
    try injector.register(as: (any Networking).self, injectable: .lazySingleton { HTTPNetworking() })
    try injector.register { try Repository(network: $0.get()) }
    let inferred: any Networking = try injector.get()
    let resolved: any Networking = injector.resolve()
    let optional: (any Networking)? = injector.resolve()
    let absent: Instance? = injector.resolve()
    #expect([inferred.name, resolved.name] == ["http", "http"])
    #expect(optional?.name == "http" && absent == nil)
    #expect(injector[(any Networking).self]?.name == "http" && injector[Instance.self] == nil)
    #expect(try injector.get(Repository.self).network.name == "http")
    #expect(try injector.getAll(Repository.self).count == 1)
    #expect(try injector.getAll(Instance.self).isEmpty)
    #expect(injector.isRegistered(Repository.self) && !injector.isRegistered(Repository.self, tag: "other"))
  }

  @Test("resolves the parameters of a wired initializer by type")
  func wiring() throws {
    let injector = Injector()
    try injector.register(as: (any Networking).self, injectable: .lazySingleton(wiring: { HTTPNetworking() }))
    try injector.register(injectable: .factory(wiring: Repository.init))
    try injector.register(injectable: .lazySingleton(wiring: Pair.init))
    #expect(try injector.get(Pair.self).repository.network.name == "http")
  }

  @Test("throws an error for a missing service that a pattern can match by its case")
  func pattern() throws {
    do {
      _ = try Injector().get(Instance.self)
      Issue.record("The request should have thrown.")
    } catch InjectorError.notRegistered {
    }
  }

  @Test("throws the error of a dependency unchanged, with the chain")
  func nested() throws {
    let injector = Injector()
    try injector.register { try Repository(network: $0.get()) }
    try injector.register(injectable: .factory(wiring: Pair.init))
    try injector.register(as: (any Networking).self, tag: "other") { HTTPNetworking() }
    let error = #expect(throws: InjectorError.self) { try injector.get(Pair.self) }
    #expect(error?.facts.chain == ["Pair", "Networking"])
    #expect(error?.facts.nearest == "Networking (tag \"other\")")
  }

  @Test("returns a replacement if rewriting is allowed, and otherwise the registration is unchanged")
  func rewriting() throws {
    let strict = Injector()
    try strict.register(injectable: .singleton(Instance("first")))
    #expect(throws: InjectorError.self) { try strict.register(injectable: .singleton(Instance("second"))) }
    #expect(try strict.get(Instance.self).name == "first")
    let lenient = Injector(nil, allowRewrite: true)
    try lenient.register(injectable: .singleton(Instance("first")))
    try lenient.register(injectable: .singleton(Instance("second")))
    #expect(try lenient.get(Instance.self).name == "second")
  }

  @Test("with resolve() ends the program with the whole diagnosis if the service cannot be made")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try resolveIncomplete()
    }
    let expected = """
      \(#fileID):\(resolveLine): Fatal error: resolve() as Repository failed.
      get((any Networking).self) failed: nothing is registered for Networking.
        service:        Networking
        injector:       services
        chain:          Repository → Networking
        asked at:       \(#fileID):\(resolveLine - 1)
      To fix this:
        - Register it before you ask for it: try Injector["services"].register((any Networking).self, …).
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }

  @Test("as an optional ends the program if the service is registered and cannot be made", arguments: [false, true])
  func optionalTrap(bySubscript: Bool) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [bySubscript] in
      try resolveBroken(bySubscript: bySubscript)
    }
    let headline =
      bySubscript
      ? #"Injector("services")[Instance.self] failed."# : "resolve() as Optional<Instance> failed."
    let expected = """
      \(#fileID):\(resolveBrokenLine): Fatal error: \(headline)
      Instance could not be made: the disk is full
      """
    let actual = try message(of: result, lines: expected.lineCount)
    #expect(actual == expected)
  }
}
