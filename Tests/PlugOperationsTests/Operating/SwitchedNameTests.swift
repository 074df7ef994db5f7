import Plug
import PlugOperations
import Testing

private struct Shopper: Sendable {}

@Suite("A service that shares its name with a later one")
struct SwitchedNameTests {
  @Test(
    "keeps its switch when a scope adds the later one, and a new switch by the shared name is refused")
  func later() throws {
    let services = Injector("services")
    try services.register(Mail.point("mail", for: Shopper.self))
    try services.disable("new", at: "Client", because: "INC-7", since: 0)
    let scope = services.makeScope("request")
    try scope.register(Web.point("web", for: Shopper.self))
    #expect(try scope.get((any Mail.Client).self, in: Shopper()) is Mail.Old)
    #expect(try scope.get((any Web.Client).self, in: Shopper()) is Web.New)
    #expect(
      services[Switches.self].list.map(\.description)
        == ["new at Client: disabled since 1970-01-01T00:00:00Z because INC-7"])
    let error = #expect(throws: InjectorError.self) { try scope.force("new", at: "Client", because: "INC-8") }
    let names = ["PlugOperationsTests.Mail.Client", "PlugOperationsTests.Web.Client"]
    #expect(
      error?.description == """
        "new" at "Client" was refused: "Client" is a name of 2 services.
          injector:       services/request
          services:       \(names[0]), registered at Shop/Mail.swift:1
                          \(names[1]), registered at Shop/Web.swift:2
        To fix this:
          - Name the service with its module: "\(names[0])".
        """)
    try scope.force("old", at: (any Web.Client).self, because: "INC-8")
    #expect(try scope.get((any Web.Client).self, in: Shopper()) is Web.Old)
    #expect(try scope.restore("new", at: "Client")?.reason == "INC-7")
    #expect(try scope.get((any Mail.Client).self, in: Shopper()) is Mail.New)
    #expect(try scope.get((any Web.Client).self, in: Shopper()) is Web.Old)
  }
}
