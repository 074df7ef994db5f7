import Plug
import Testing

private enum Billing {
  struct Client: Sendable {}
}

private enum Delivery {
  struct Client: Sendable {
    let billing: Billing.Client
  }
}

private struct Shop: Sendable {
  let delivery: Delivery.Client
}

@Suite("Types with equal short names")
struct EqualNamesTests {
  let injector = Injector("shop")

  @Test("have different names in a chain, and as the nearest name")
  func chain() throws {
    try injector.register(injectable: .lazySingleton(wiring: Shop.init))
    try injector.register(injectable: .lazySingleton(wiring: Delivery.Client.init))
    let missing = #expect(throws: InjectorError.self) { try injector.get(Shop.self) }
    #expect(missing?.facts.chain == ["Shop", "PlugTests.Delivery.Client", "PlugTests.Billing.Client"])
    #expect(missing?.facts.nearest == "PlugTests.Delivery.Client")
  }

  @Test("have different names in a cycle")
  func circle() throws {
    try injector.register { Delivery.Client(billing: try $0.get()) }
    try injector.register { Billing.Client(of: try $0.get(Delivery.Client.self)) }
    let error = #expect(throws: InjectorError.self) { try injector.get(Delivery.Client.self) }
    guard case .circularDependency(_, let path) = try #require(error) else {
      Issue.record("It is no cycle.")
      return
    }
    #expect(path == ["PlugTests.Delivery.Client", "PlugTests.Billing.Client", "PlugTests.Delivery.Client"])
  }

  @Test("have different names in a report")
  func report() throws {
    try injector.register(injectable: .lazySingleton(wiring: Shop.init))
    try injector.register(injectable: .lazySingleton(wiring: Delivery.Client.init))
    let error = #expect(throws: InjectorError.self) { try injector.validate() }
    guard case .invalid(_, let report) = try #require(error) else { return }
    #expect(report.problems.map(\.subject) == ["PlugTests.Billing.Client"])
    #expect(report.problems.map(\.details) == [["PlugTests.Delivery.Client"]])
  }
}

extension Billing.Client {
  fileprivate init(of delivery: Delivery.Client) { self.init() }
}
