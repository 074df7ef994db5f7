import HTTPTypes
import Hummingbird
import HummingbirdTesting
import MetricsTestKit
import Testing
import Web

@Suite struct RequestMetricsTests {
  @Test func `Every request is timed, and those are counted that the server fails to answer`() async throws {
    let metrics = TestMetrics()
    let router = Router(context: ShopContext.self)
    router.add(middleware: RequestMetrics(factory: metrics))
    router.get("works") { _, _ in HTTPResponse.Status.ok }
    router.get("fails") { _, _ in HTTPResponse.Status.internalServerError }
    try await Application(router: router).test(.router) { client in
      for uri in ["/works", "/fails", "/works"] { try await client.execute(uri: uri, method: .get) }
    }
    #expect(try metrics.expectTimer("orders.requests").values.count == 3)
    #expect(try metrics.expectCounter("orders.failures").totalValue == 1)
  }
}
