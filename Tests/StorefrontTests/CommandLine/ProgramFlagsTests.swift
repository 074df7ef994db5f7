import Foundation
import Testing

@testable import storefront

@Suite("Program, with a flag document")
struct ProgramFlagsTests {
  /// The built-in flags, with other shares, fewer drones and shorter lists.
  private static var document: String {
    String(decoding: PackageResources.flags_json, as: UTF8.self)
      .replacing(#"["stepwise", 70], ["single-page", 30]"#, with: #"["stepwise", 30], ["single-page", 70]"#)
      .replacing(#"["AT", "DE", "NL"]"#, with: #"["AT", "DE"]"#)
      .replacing(#""few": 10"#, with: #""few": 1"#)
  }

  private func run(_ arguments: [String], with document: String = document) async -> Program.Result {
    await Program.run(["--flags", "new.json"] + arguments, at: Samples.time) { path in
      path == "new.json" ? Data(document.utf8) : Data(Samples.guest.utf8)
    }
  }

  @Test("The shop decides by its flags")
  func table() async {
    let expected = """
      2026-11-20T10:00: everything you need; a voucher for eve

      SHOPPER  COUNTRY  TIER      APP    CHECKOUT  PAYMENT       SEARCH     DELIVERY          RETURN
      bo       NL       standard  3.1.4  stepwise  wallet, card  catalogue  parcel, 8.90 EUR  8.90 EUR

      """
    #expect(await run(["--as", "bo"]) == Program.Result(output: expected))
    let found = """
      SHOPPER  GOODS
      lou      desk lamp

      semantic finds 3 for "office"

      """
    #expect(await run(["--as", "lou", "--search", "office"]) == Program.Result(output: found))
  }

  @Test("The built-in flags are those without --flags")
  func builtIn() async {
    let document = String(decoding: PackageResources.flags_json, as: UTF8.self)
    for arguments in [[], ["--explain"], ["--search", "office"], ["--what-if", "drone"], ["--data", "mine.json"]] {
      let plain = await Program.run(arguments, at: Samples.time) { _ in Data(Samples.guest.utf8) }
      #expect(await run(arguments, with: document) == plain)
    }
    #expect(await run(["--impact"], with: document) == Program.Result(output: "12 shoppers: nothing changes\n"))
  }

  @Test("With --impact, a table shows what the document would change for whom")
  func impact() async {
    let expected = """
      12 shoppers: Checkout of 1 changes, DeliveryQuote of 1 changes, search-results of 2 changes

      WHAT            FROM      TO           SHOPPERS
      Checkout        stepwise  single-page  gia
      DeliveryQuote   drone     parcel       bo
      search-results  10        1            eve, lou

      """
    #expect(await run(["--impact"]) == Program.Result(output: expected))
    let one = """
      1 shopper: DeliveryQuote of 1 changes

      WHAT           FROM   TO      SHOPPERS
      DeliveryQuote  drone  parcel  bo

      """
    #expect(await run(["--impact", "--as", "bo"]) == Program.Result(output: one))
  }

  @Test("With --impact, other changes are shown together with the document's")
  func severalChanges() async {
    let expected = """
      12 shoppers: Checkout of 1 changes, DeliveryQuote of 2 changes, search-results of 2 changes

      WHAT            FROM      TO           SHOPPERS
      Checkout        stepwise  single-page  gia
      DeliveryQuote   drone     parcel       bo
      DeliveryQuote   drone     free         hugo
      search-results  10        1            eve, lou

      """
    #expect(await run(["--impact", "--disable", "drone@delivery"]) == Program.Result(output: expected))
  }

  @Test("Without a flag, its candidates are out, and the web site is what remains")
  func missingFlags() async {
    let expected = """
      12 shoppers: Checkout of 6 changes, DeliveryQuote of 2 changes, search-results of 2 changes

      WHAT            FROM         TO      SHOPPERS
      Checkout        stepwise     web     bo, cleo, gia, ines, jun
      Checkout        single-page  web     finn
      DeliveryQuote   drone        parcel  bo
      DeliveryQuote   drone        free    hugo
      search-results  10           1000    eve, lou

      """
    #expect(await run(["--impact"], with: #"{"flags": {}}"#) == Program.Result(output: expected))
  }

  @Test("A document with mistakes is refused with all of them and their paths", arguments: [[], ["--impact"]])
  func mistakes(_ arguments: [String]) async {
    let document = Self.document.replacing(#"">=", "3.0.0""#, with: #""=>", "3.0.0""#)
      .replacing(#""defaultVariant": "all""#, with: #""defaultVariant": "al""#)
    let expected = """
      storefront: new.json is not a valid flag document:
        flags.drone.targeting.if[0].and[1].sem_ver: operator "=>" is unknown; one of = != < <= > >= ^ ~
        flags.search-results.defaultVariant: the flag has no variant "al"; did you mean "all"?

      """
    #expect(await run(arguments, with: document) == Program.Result(errorOutput: expected, exitCode: 1))
  }

  @Test("A text that is no document is refused")
  func noDocument() async {
    let expected = """
      storefront: new.json is not a valid flag document:
        The text is not a flag document, because it has no flags
        "flags" is missing
        To fix this: write the flags as {"flags": {"name of a flag": {"state": "ENABLED", "variants": {…}}}}

      """
    #expect(await run([], with: "{}") == Program.Result(errorOutput: expected, exitCode: 1))
  }

  @Test("A variant that names no candidate is refused", arguments: [[], ["--impact"]])
  func unknownCandidate(_ arguments: [String]) async {
    let result = await run(arguments, with: Self.document.replacing("single-page", with: "single-pag"))
    #expect(result.output == "")
    #expect(result.exitCode == 1)
    #expect(
      result.errorOutput.split(separator: "\n").first
        == #"storefront: variant "single-pag" of flag "checkout" names no candidate of Checkout."#)
  }
}
