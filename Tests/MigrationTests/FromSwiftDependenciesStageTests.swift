import Plug
import PlugKeys
import Testing

private protocol Payments: Sendable { var name: String { get } }
private struct CardPayments: Payments { let name = "card" }
private struct MockPayments: Payments { let name = "mock" }

private struct Unimplemented: Error, CustomStringConvertible {
  let name: String
  var description: String { "\(name) is not implemented in tests" }
}

private struct Rates: Feature {
  var rate: @Sendable (_ currency: String) -> Int

  static func load(in injector: Injector) throws -> Rates {
    switch injector[Stage.self] {
    case .production, .debug: Rates { _ in 110 }
    case .preview: Rates { _ in 100 }
    case .test: throw Unimplemented(name: "Rates")
    }
  }
}

extension InjectorError {
  fileprivate var headline: String { String(description.prefix { $0 != "\n" }) }
}

@Suite("Live, preview and test values of swift-dependencies")
struct FromSwiftDependenciesStageTests {
  private let injector = Injector()

  @Test("live, preview and test values are chosen by the stage", arguments: [Stage.production, .debug, .preview])
  func stages(stage: Stage) throws {
    let error = #expect(throws: InjectorError.self) { try injector.get(Rates.self) }
    #expect(error?.headline == "Rates could not be made: Rates is not implemented in tests")
    injector[Stage.self] = stage
    #expect(try injector.get(Rates.self).rate("USD") == (stage == .preview ? 100 : 110))
  }

  @Test("a service has a registration for its stages")
  func stagedServices() throws {
    try injector.register(
      (any Payments).self, .lazySingleton { CardPayments() })
    try injector.contribute(
      (any Payments).self, .lazySingleton { MockPayments() },
      when: .stage(.preview, .test))
    #expect(try injector.get((any Payments).self).name == "mock")
    injector[Stage.self] = .production
    #expect(try injector.get((any Payments).self).name == "card")
  }
}
