import Plug
import PlugKeys
import Testing

@testable import PlugFlags

@Suite("A choice by a document")
struct FlagChoiceTests {
  private static func opposite(_ isLeft: Bool) throws -> FlagDocument {
    try flags(["left": constant(isLeft), "right": constant(!isLeft)])
  }

  private func makeServices() throws -> Injector {
    let services = Injector("services")
    try services.register(
      PluginPoint<any Checkout, Buyer>("checkout") {
        Candidate("left") { OneClick() }.when(.flag("left"))
        PluginPoint("inner", when: .flag("right")) {
          Candidate("right") { Classic() }.when(!.flag("left"))
        }
      })
    return services
  }

  @Test("keeps no document when it has ended")
  func kept() throws {
    let services = try makeServices()
    var document: FlagDocument? = try Self.opposite(true)
    weak let contents = document?.contents
    services[Flags.self] = try #require(document)
    document = nil
    #expect(try services.getAll((any Checkout).self, in: Buyer()).count == 1)
    #expect(contents != nil)
    services[Flags.self] = .empty
    #expect(contents == nil)
  }

  @Test("sees the next document when it has ended")
  func released() throws {
    let services = try makeServices()
    services[Flags.self] = try Self.opposite(true)
    #expect(try services.get((any Checkout).self, in: Buyer()) is OneClick)
    services[Flags.self] = try Self.opposite(false)
    #expect(try services.get((any Checkout).self, in: Buyer()) is Classic)
    services[Flags.self] = .empty
    #expect(try services.getAll((any Checkout).self, in: Buyer()).isEmpty)
  }
}
