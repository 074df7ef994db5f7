import Foundation
import Plug
import PlugIsolation
import Testing

@testable import PlugTesting

@Suite("Reports of failing tests")
struct FailureReportTests {
  @Test("A report says which candidates were chosen last, and why")
  func text() async throws {
    let injector = Injector("report")
    Shop.setUp(injector)
    let selections = SelectionLog()
    let text = try Sandbox.run(watch: selections) { _ in
      _ = try injector.searchName(Shopper(features: ["semantic"]))
      return selections.text
    }
    #expect(
      text == """
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
    "A failing test attaches the report", .isolated,
    .enabled(if: ProcessInfo.processInfo.environment["PLUG_SHOW_FAILURE"] != nil, "for .ci/check attachment"))
  func failure() throws {
    let injector = Injector("failing")
    Shop.setUp(injector)
    _ = try injector.searchName(Shopper())
    Issue.record("This is meant to fail.")
  }
}
