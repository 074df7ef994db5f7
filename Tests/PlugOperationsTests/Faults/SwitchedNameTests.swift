import Plug
import PlugOperations
import Testing

private enum Mail {
  protocol Client: Sendable {}
  struct Old: Client {}
  struct New: Client {}
}

private enum Web {
  protocol Client: Sendable {}
  struct Old: Client {}
  struct New: Client {}
}

private struct Shopper: Sendable {}

@Suite("A service whose name another one gets")
struct SwitchedNameTests {
  @Test(
    "keeps a switch to the service that had the name, and refuses one that means services of two injectors")
  func later() throws {
    let services = Injector("services")
    try services.register(
      PluginPoint<any Mail.Client, Shopper>("mail", fileID: "Shop/Mail.swift", line: 1) {
        Candidate("new", .factory { Mail.New() })
        Candidate("old", .factory { Mail.Old() })
      })
    try services.disable("new", at: "Client", because: "INC-7", since: 0)
    let scope = services.makeScope("request")
    try scope.register(
      PluginPoint<any Web.Client, Shopper>("web", fileID: "Shop/Web.swift", line: 2) {
        Candidate("new", .factory { Web.New() })
        Candidate("old", .factory { Web.Old() })
      })
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
