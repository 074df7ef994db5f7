import Plug
import Testing

private protocol Networking: Sendable { var host: String { get } }
private struct HTTPNetworking: Networking { let host = "shop.example" }

private final class Repository: Sendable {
  let network: any Networking

  init(network: any Networking) {
    self.network = network
  }
}

@Suite("The first page of the documentation")
struct PlugGuideTests {
  @Test("A repository is made with the network that is registered, and once")
  func opening() throws {
    let services = Injector("services")
    try services.register(
      (any Networking).self,
      .lazySingleton { HTTPNetworking() })
    try services.register { try Repository(network: $0.get()) }

    let repository = try services.get(Repository.self)
    #expect(try repository.network.host == "shop.example" && services.get(Repository.self) === repository)
  }
}
