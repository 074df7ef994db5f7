import Plug
import PlugFlags
import PlugFlagsTesting
import PlugTesting
import TestSupport
import Testing

private protocol Banner: Sendable {}

private struct Sale: Banner {}
private struct Everyday: Banner {}

extension FlagKey<Bool> {
  fileprivate static let audit = FlagKey("audit", default: false)
}

extension FlagKey<Int> {
  fileprivate static let searchLimit = FlagKey("search-limit", default: 10)
}

@Suite("Flags that a program and its document know", .isolated)
struct FlagExpectationsTests {
  private let services = Injector("services")

  init() throws {
    try services.register(
      PluginPoint<any Banner, FlagAttributes>("banner", when: .flag("banners"), fileID: "Shop/Banners.swift", line: 7) {
        Candidate("sale") { Sale() }.when(.flag("sale") || !.flag("holidays", is: "none") && .flag("sale", atLeast: 2))
        Candidate("limit") { Sale() }.when(.flag(.searchLimit, .atLeast(\.self, 5)))
        PluginPoint("layout", decidedBy: "layout") {
          Candidate("everyday") { Everyday() }
        }
      })
    try services.contribute(
      (any Banner).self, .lazySingleton { Sale() },
      when: Rule<FlagAttributes>.flag("region").pullback { (name: FlagAttributes) in name }, id: "region")
  }

  private static let flags = ["banners", "holidays", "layout", "region", "sale", "search-limit"]

  private func document(_ flags: [String]) throws -> FlagDocument {
    let members = flags.map { #""\#($0)": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}"# }
    return try FlagDocument("{\"flags\": {\(members.joined(separator: ", "))}}")
  }

  @Test("If rules and keys name all of the document, and nothing else, there is no issue")
  func known() async throws {
    let document = try document(Self.flags)
    #expect(await issues { expectFlagsKnown(document, in: services) } == [])
    let larger = try self.document(Self.flags + ["audit"])
    #expect(await issues { expectFlagsKnown(larger, in: services, keys: .audit, .searchLimit) } == [])
  }

  @Test("A flag that only one of them knows is told, with who names it and the nearest name")
  func differing() async throws {
    let document = try document(["banners", "holiday", "layout", "regional", "sale", "old"])
    let found = await issues { expectFlagsKnown(document, in: services, keys: .audit, .searchLimit) }
    let place = "rules of Banner, registered at Shop/Banners.swift:7"
    #expect(
      found == [
        """
        The program and its flag document do not know the same flags.
          - the document has no flag "audit", named by a FlagKey
          - the document has no flag "holidays", named by \(place); did you mean "holiday"?
          - the document has no flag "region", named by \(place); did you mean "regional"?
          - the document has no flag "search-limit", named by \(place), and by a FlagKey
          - the document has a flag "holiday" that no rule and no FlagKey names
          - the document has a flag "regional" that no rule and no FlagKey names
          - the document has a flag "old" that no rule and no FlagKey names
        To fix this:
          - Correct the name, or add the flag to the document.
          - Remove a flag that nothing names from the document, or pass its FlagKey here.
        """
      ])
  }

  @Test("A scope counts with what it inherits")
  func scopes() async throws {
    let scope = services.makeScope("request")
    try scope.contribute(
      String.self, .factory { "" }, when: Rule<FlagAttributes>.flag("scoped"), id: "scoped")
    let document = try document(Self.flags + ["scoped"])
    #expect(await issues { expectFlagsKnown(document, in: scope) } == [])
    #expect(
      await issues { expectFlagsKnown(document, in: services) } == [
        """
        The program and its flag document do not know the same flags.
          - the document has a flag "scoped" that no rule and no FlagKey names
        To fix this:
          - Correct the name, or add the flag to the document.
          - Remove a flag that nothing names from the document, or pass its FlagKey here.
        """
      ])
  }
}
