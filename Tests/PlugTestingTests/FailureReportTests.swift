import Foundation
import Plug
import Testing

@testable import PlugTesting

@Suite("Reports of failing tests")
struct FailureReportTests {
  @Test("A report has the graphs of the injectors that were used, and says why the last candidates were chosen")
  func text() async throws {
    let injector = Injector("report")
    Shop.setUp(injector)
    let text = try withIsolatedInjectors {
      try injector.override(as: (any Payments).self, injectable: .singleton(FakePayments()))
      _ = try injector.get(Basket.self)
      _ = try injector.searchName(Shopper(features: ["semantic"]))
      return FailureReport.text(about: try #require(Isolation.current.sandbox))
    }
    #expect(
      text == """
        Injector("report")
        Basket (lazySingleton, constructed)
          Payments (singleton, constructed)
        Search: one of 3
          [catalogue] (lazySingleton, opaque)
          [semantic] (lazySingleton, constructed)
          [voice] (lazySingleton, opaque)

        Selected semantic for Search (report)
        Search in Shopper: 2 of 3 apply, selected: semantic
          point search: open
            semantic: selected
              + feature "semantic": ["semantic"]
            point beta: ruled out
              - feature "beta": ["semantic"]
              voice: not evaluated, priority 10
            catalogue: available as number 2

        """)
  }

  @Test(
    "A failing test attaches it", .isolated,
    .enabled(if: ProcessInfo.processInfo.environment["PLUG_SHOW_FAILURE"] != nil, "for .ci/attachment"))
  func failure() throws {
    let injector = Injector("failing")
    Shop.setUp(injector)
    _ = try injector.searchName(Shopper())
    Issue.record("This is meant to fail.")
  }
}
