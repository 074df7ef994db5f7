import Plug
import TestSupport
import Testing

private struct Network: Sendable {}
private struct Search: Sendable {}
private struct BrokenSetUp: Error {}

private enum NetworkModule: InjectorModule {
  static func register(in injector: Injector) throws { try injector.register { Network() } }
}

private enum SearchModule: InjectorModule {
  static let requires: [any InjectorModule.Type] = [NetworkModule.self]
  static func register(in injector: Injector) throws { try injector.register { Search() } }
}

private enum BrokenModule: InjectorModule {
  static let requires: [any InjectorModule.Type] = [NetworkModule.self]
  static func register(in injector: Injector) throws { throw BrokenSetUp() }
}

@Suite("Modules that several threads install")
struct ModuleFaultTests {
  @Test("have their requirements, however the call of another thread ends")
  func requirements() throws {
    try race(
      threads: 2, rounds: 200,
      makeSubject: { _ in Injector() },
      body: { injector, thread in
        do {
          if thread == 0 { try injector.install(BrokenModule.self) } else { try injector.install(SearchModule.self) }
          return "installed"
        } catch InjectorError.constructionFailed(_, let underlying) {
          return "\(type(of: underlying))"
        } catch {
          return "\(error)"
        }
      },
      check: { injector, outcomes in
        #expect(outcomes == ["BrokenSetUp", "installed"])
        _ = try injector.get(Network.self)
        _ = try injector.get(Search.self)
      })
  }
}
