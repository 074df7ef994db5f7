import Foundation
import Plug
import PlugOperations
import Testing

@testable import storefront

@Suite("Program")
struct ProgramTests {
  @Test("By default, one line is printed for each of the built-in shoppers")
  func table() async {
    let expected = """
      2026-11-20T10:00: everything you need; a voucher for eve

      SHOPPER  COUNTRY  TIER      APP           CHECKOUT     PAYMENT                   SEARCH                   DELIVERY            RETURN
      ada      DE       premium   3.2.0         one-click    wallet, card, invoice     semantic, catalogue      parcel, 0.00 EUR    0.00 EUR
      bo       NL       standard  3.1.4         stepwise     wallet, card              catalogue                drone, 9.90 EUR     8.90 EUR
      cleo     FR       premium   2.8.1         stepwise     card                      catalogue, photo         parcel, 0.00 EUR    14.90 EUR
      dag      NO       premium   3.2.0         one-click    card, invoice, gift card  semantic, catalogue      parcel, 31.90 EUR   31.90 EUR
      eve      IT       standard  1.9.12        web          card, cash                catalogue                parcel, 8.90 EUR    8.90 EUR
      finn     DE       guest     3.0.0         single-page  card                      semantic, catalogue      parcel, 5.40 EUR    0.00 EUR
      gia      IT       guest     2.4.0         stepwise     card, cash, gift card     semantic, catalogue      parcel, 0.00 EUR    12.50 EUR
      hugo     AT       premium   3.3.0-beta.2  one-click    wallet, card, invoice     voice, catalogue, photo  drone, 9.90 EUR     10.10 EUR
      ines     PL       standard  3.0.0-rc.1    stepwise     card                      catalogue, photo         parcel, 0.00 EUR    17.30 EUR
      jun      JP       standard  3.2.0         stepwise     wallet, card, gift card   voice, catalogue, photo  parcel, 19.90 EUR   19.90 EUR
      kai      FR       premium   3.2.0         one-click    card, invoice             catalogue                freight, 83.10 EUR  58.10 EUR
      lou      CH       guest     1.4.0         web          card                      semantic, catalogue      parcel, 19.90 EUR   19.90 EUR

      """
    #expect(await Program.run([], at: Samples.time) == Program.Result(output: expected))
  }

  @Test("With --as, one shopper is shown")
  func oneShopper() async {
    let expected = """
      2026-11-20T10:00: everything you need; a voucher for eve

      SHOPPER  COUNTRY  TIER     APP    CHECKOUT   PAYMENT                SEARCH               DELIVERY          RETURN
      ada      DE       premium  3.2.0  one-click  wallet, card, invoice  semantic, catalogue  parcel, 0.00 EUR  0.00 EUR

      """
    #expect(await Program.run(["--as", "ada"], at: Samples.time) == Program.Result(output: expected))
  }

  @Test("With --share, the semantic search is rolled out to that share instead")
  func share() async {
    let results = await [
      Program.run(["--share", "0"], at: Samples.time), Program.run(["--share", "100"], at: Samples.time),
      Program.run(["--share", "50"], at: Samples.time),
    ].map(\.output)
    #expect(results[0].components(separatedBy: "semantic").count == 1)
    // Not in France.
    #expect(results[1].components(separatedBy: "semantic").count == 11)
    #expect(results[2] == (await Program.run([], at: Samples.time).output))
  }

  @Test("With --data, another file is read, and nothing but that")
  func otherFile() async {
    var paths: [String] = []
    let result = await Program.run(["--data", "folder/mine.json"], at: Samples.time) { path in
      paths.append(path)
      return Data(Samples.guest.utf8)
    }
    let expected = """
      2026-11-20T10:00: everything you need; a voucher for one

      SHOPPER  COUNTRY  TIER   APP    CHECKOUT  PAYMENT  SEARCH            DELIVERY          RETURN
      one      DE       guest  1.2.3  web       card     catalogue, photo  parcel, 4.90 EUR  0.00 EUR

      """
    #expect(result == Program.Result(output: expected))
    #expect(paths == ["folder/mine.json"])
  }

  @Test("With --search, it shows what shoppers find, and what the providers have written down")
  func search() async {
    let expected = """
      SHOPPER  GOODS
      finn     desk lamp, office chair, notebook

      semantic finds 3 for "office"

      """
    #expect(await Program.run(["--search", "office", "--as", "finn"]) == Program.Result(output: expected))
  }

  @Test("With --graph, the shop is drawn instead, and no file is read")
  func graph() async throws {
    let graph = try await Storefront(at: Samples.time).services.graph()
    for (format, text) in [("mermaid", graph.mermaid), ("dot", graph.graphviz), ("text", graph.description)] {
      #expect(await Program.run(["--graph", format, "--data", "missing.json"]) == Program.Result(output: text + "\n"))
    }
    #expect(
      graph.description.hasSuffix(
        """
        PriceFormat (singleton, constructed)
        Randomness (singleton, constructed)
        ReturnQuote(Basket, String) (factory, opaque)
        SearchLog (singleton, constructed)
        SearchProvider: one of 4
          [catalogue] (lazySingleton, opaque, decorated by logging)
            Catalogue (lazySingleton, asynchronous, constructed)
          [photo] (lazySingleton, opaque, decorated by logging)
          [semantic] (lazySingleton, opaque, decorated by logging)
            Catalogue (lazySingleton, asynchronous, constructed)
          [voice] (factory, opaque, decorated by logging)
            Catalogue (lazySingleton, asynchronous, constructed)
        VoucherDraw (lazySingleton, opaque)
        """))
    #expect(
      await Program.run(["--graph", "pdf"])
        == Program.Result(
          errorOutput: """
            storefront: --graph must be one of mermaid, dot, text, not "pdf"
            Try "storefront --help".

            """, exitCode: 1))
  }

  @Test("With --impact, the change is not made, and a table shows what it would do")
  func impact() async {
    let share = """
      1 of 12 contexts would get another candidate
        service         from       to        contexts
        SearchProvider  catalogue  semantic  1: ines

      """
    #expect(await Program.run(["--impact", "--share", "80"], at: Samples.time) == Program.Result(output: share))
    let switched = """
      1 of 1 contexts would get another candidate
        service         from      to         contexts
        SearchProvider  semantic  catalogue  1: ada

      """
    let arguments = ["--impact", "--disable", "semantic@search", "--as", "ada"]
    #expect(await Program.run(arguments, at: Samples.time) == Program.Result(output: switched))
  }

  @Test("With --help, the options are explained, and no file is read")
  func help() async {
    let expected = """
      Shows what each shopper is offered: the checkout, payment methods, search providers and delivery.

      Usage: storefront [--as ID] [--at TIME] [CHANGE] [--explain] [--data FILE]
             storefront --search WORD [--as ID] [--at TIME] [CHANGE] [--data FILE]
             storefront --what-if CANDIDATE [--as ID] [--at TIME] [CHANGE] [--data FILE]
             storefront --impact CHANGE [--as ID] [--at TIME] [--data FILE]
             storefront --graph FORMAT

      A CHANGE is --share PERCENT, --disable CANDIDATE@POINT, --flags FILE, or several of them.

        --as ID          Show one shopper only.
        --at TIME        Use this time instead of the current one: 2026-12-24T18:00.
        --share PERCENT  Roll the semantic search out to this share of all shoppers instead of 50.
        --disable CANDIDATE@POINT
                         Switch a candidate off, such as semantic@search.
        --flags FILE     Decide by the flags of a document in flagd's format instead of the built-in ones.
        --explain        Explain why each candidate is in or out.
        --search WORD    Show what each shopper finds instead, and what the providers have logged.
        --what-if CANDIDATE
                         Show what would have to differ for each shopper to get a candidate first.
        --impact         Show what the change would do for each shopper, instead of making it.
        --data FILE      Read the shoppers from a JSON file instead of the built-in ones.
        --graph FORMAT   Show the dependency graph instead: mermaid, dot or text.
        --help           Show this text.

      Candidates, and which of them a guest from Germany is offered:
        + stepwise@checkout     A page for each step.
        + web@checkout          The checkout of the web site.
        - one-click@checkout    The last address and payment.
        - single-page@checkout  Everything on one page.
        + card@payment          Any credit card.
        - wallet@payment        The wallet of the device.
        - invoice@payment       Payment after delivery.
        - cash@payment          Payment to the carrier.
        - gift-card@payment     A prepaid card.
        + catalogue@search      Finds words in names.
        - voice@search          Finds what is said.
        - semantic@search       Finds what is meant.
        - photo@search          Finds what a photo shows.
        + parcel@delivery       By weight and zone.
        - freight@delivery      A lorry for what is heavy.
        - drone@delivery        Small parcels by air.
        - free@delivery         Free of charge.

      """
    #expect(await Program.run(["--help", "--data", "missing.json"]) == Program.Result(output: expected))
  }
}
