import Plug
import Testing

private protocol Networking: Sendable { var name: String { get } }
private struct Offline: Networking { let name = "offline" }
private struct Proxy: Sendable {}
private struct Proxied: Networking {
  let proxy: Proxy
  var name: String { "proxied" }
}

@Suite("The guide When something fails")
struct WhenSomethingFailsGuideTests {
  private func connect(_ services: Injector) throws -> any Networking {
    let network: any Networking
    do {
      network = try services.get((any Networking).self)
    } catch InjectorError.notRegistered {
      network = Offline()
    }
    return network
  }

  private func connectDirectly(_ services: Injector) throws -> any Networking {
    let network: any Networking
    do {
      network = try services.get((any Networking).self)
    } catch {
      guard case .notRegistered(let facts) = error,
        facts.service == "Networking"
      else { throw error }
      network = Offline()
    }
    return network
  }

  @Test("One failure is handled, and others are passed on")
  func handling() throws {
    let services = Injector()
    #expect(try connect(services).name == "offline" && connectDirectly(services).name == "offline")
    try services.register((any Networking).self, .lazySingleton { Proxied(proxy: try $0.get()) })
    #expect(try connect(services).name == "offline")
    let error = #expect(throws: InjectorError.self) { try connectDirectly(services) }
    #expect(error?.facts.service == "Proxy")
    try services.register(.singleton(Proxy()))
    #expect(try connect(services).name == "proxied" && connectDirectly(services).name == "proxied")
  }
}
