import Plug
import TestSupport
import Testing

@testable import PlugTesting

@Suite("Unimplemented services", .isolated)
struct UnimplementedTests {
  @Test("Using an unimplemented service throws, and is an issue that shows the chain of requests")
  func throwing() async throws {
    let injector = try Injector.shop()
    let line = #line + 1
    try injector.override(as: (any Payments).self, injectable: .unimplemented("Payments"))
    var thrown: InjectorError?
    let issues = await issues {
      do throws(InjectorError) {
        _ = try injector.get(Basket.self)
      } catch {
        thrown = error
      }
    }
    let use = Unimplemented(
      name: "Payments", chain: ["Basket", "Payments"], declaredAt: CodeLocation(fileID: #fileID, line: line))
    #expect(
      issues == [
        """
        Payments was used, but is unimplemented in this test.
          chain:          Basket → Payments
          declared at:    PlugTestingTests/UnimplementedTests.swift:\(line)
        To fix this:
          - Override it with what the test needs.
          - Or follow the chain to find out why it is used.
        """
      ])
    guard case .constructionFailed(let facts, let underlying) = try #require(thrown) else {
      Issue.record("\(String(describing: thrown))")
      return
    }
    #expect(facts.service == "Payments")
    #expect(underlying as? Unimplemented == use)
  }

  @Test("Using an unimplemented service with a placeholder is an issue, and returns the placeholder")
  func placeholder() async throws {
    let injector = try Injector.shop()
    try injector.override(
      as: (any Payments).self, injectable: .unimplemented("Payments", placeholder: FakePayments("placeholder")))
    var names: [String?] = []
    let issues = await issues { names = [injector.paymentsName, injector.paymentsName] }
    #expect(names == ["placeholder", "placeholder"])
    #expect(issues.count == 2)
  }

  @Test("An unimplemented service that is not used is no issue")
  func unused() throws {
    let injector = try Injector.shop()
    try injector.override(as: Basket.self, injectable: .unimplemented("Basket"))
    #expect(injector.paymentsName == "live")
  }
}
