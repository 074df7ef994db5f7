import Plug
import Testing

private protocol SearchProvider: Sendable { var name: String { get } }
private struct CatalogueSearch: SearchProvider { let name = "catalogue" }
private struct SemanticSearch: SearchProvider { let name = "semantic" }

private struct Shopper: FeatureContext {
  let id: String
  let country: String
  let enabledFeatures: Set<String>
}

@Test("The example of the README prints what it says")
func readme() throws {
  let services = Injector("services")
  try services.register(
    PluginPoint<any SearchProvider, Shopper>("search") {
      Candidate("semantic") { SemanticSearch() }.when(.feature("semantic") && !.equals(\.country, "FR"))
      Candidate("catalogue") { CatalogueSearch() }
    })
  try services.seal()

  let cleo = Shopper(id: "cleo", country: "FR", enabledFeatures: ["semantic"])
  #expect(try services.get((any SearchProvider).self, in: cleo).name == "catalogue")
  #expect(
    try services.explain((any SearchProvider).self, in: cleo).description == """
      SearchProvider in Shopper: 1 of 2 apply, selected: catalogue
        point search: open
          semantic: ruled out
            - all
              + feature "semantic": ["semantic"]
              - not
                + country == "FR": "FR"
          catalogue: selected
      """)
}
