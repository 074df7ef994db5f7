import Plug
import PlugOperations
import Testing

@testable import storefront

@Suite("Program, when it explains")
struct ProgramExplanationTests {
  @Test("With --explain, every candidate of every service says why it is in or out")
  func explanation() async {
    let expected = """
      2026-11-20T19:30: ordered tonight, delivered tomorrow; a voucher for eve

      SHOPPER  COUNTRY  TIER   APP    CHECKOUT     PAYMENT  SEARCH               DELIVERY          RETURN
      finn     DE       guest  3.0.0  single-page  card     semantic, catalogue  parcel, 5.40 EUR  0.00 EUR

      Campaign in Injector: 2 of 3 apply, selected: evening
        point campaign: open
          christmas: ruled out, priority 10
            - all
              - month == 12: 11
              + day in 18...24: 20
          evening: selected
            + hour >= 18: 19
          everyday: available as number 2

      finn
        Checkout in Shopper: 2 of 4 apply, selected: single-page
          point checkout: open
            point app: open
              + appVersion >= 2.0.0: 3.0.0
              point layout: open
                stepwise: ruled out
                  - variant of flag "checkout" == "stepwise": single-page = "single-page" (TARGETING_MATCH)
                      if: "single-page"
                        and: true
                          in: true
                            var country: "DE"
                            ["AT","DE","FR","IT"]
                          <: true
                            var basket.totalInCents: 6700
                            100000
                        fractional: "single-page" (bucket 92 of 100, v2)
                          ["stepwise",70]
                          ["single-page",30]
                single-page: selected
                  + variant of flag "checkout" == "single-page": single-page = "single-page" (TARGETING_MATCH)
                      if: "single-page"
                        and: true
                          in: true
                            var country: "DE"
                            ["AT","DE","FR","IT"]
                          <: true
                            var basket.totalInCents: 6700
                            100000
                        fractional: "single-page" (bucket 92 of 100, v2)
                          ["stepwise",70]
                          ["single-page",30]
            web: available as number 2
          one-click: ruled out, priority 10
            - all
              - feature "one-click": ["drone"]
              + appVersion >= 3.0.0: 3.0.0
        PaymentMethod in Shopper: 1 of 5 apply, selected: card
          point payment: open
            card: selected
            invoice: ruled out
              ? all
                ? tier == premium: nil (tier has no value)
                + basket.totalInCents in 2000...100000: 6700
            cash: ruled out
              - all
                - country in ["IT", "PL"]: "DE"
                + not
                  - basket.totalInCents >= 30000: 6700
            point device: open
              + appVersion >= 3.0.0: 3.0.0
              wallet: ruled out, priority 10
                - feature "wallet": ["drone"]
          gift-card: ruled out
            - all
              - feature "gift-cards": ["drone"]
              + flag "gift-cards" == "accepted": accepted = "accepted" (DEFAULT)
                  if: null
                    or: false
                      starts_with: false
                        var appVersion: "3.0.0"
                        "2.8."
                      ends_with: false
                        var appVersion: "3.0.0"
                        "-rc.1"
              + not
                - "web" is selected at "checkout": "single-page"
        SearchProvider in Shopper: 2 of 4 apply, selected: semantic
          point search: open
            catalogue: available as number 2
            semantic: selected, priority 5
              + all
                + rollout SemanticShare of "semantic" by id: "finn" in bucket 3.68, share 50%
                + not
                  - country == "FR": "DE"
            point beta: ruled out
              - any
                - feature "beta": ["drone"]
                - runs a pre-release: 3.0.0
              photo: not evaluated
              voice: not evaluated, priority 10
          decorated by: logging
        DeliveryQuote in Shopper: 1 of 4 apply, selected: parcel
          point delivery: open
            freight: ruled out, priority 10
              - basket.weightInGrams >= 30000: 2000
            drone: ruled out
              - all
                + feature "drone": ["drone"]
                + flag "drone": on = true (TARGETING_MATCH)
                    if: "on"
                      and: true
                        in: true
                          var country: "DE"
                          ["AT","DE","NL"]
                        sem_ver: true
                          var appVersion: "3.0.0"
                          ">="
                          "3.0.0"
                        !: true
                          or: false
                            starts_with: false
                              var appVersion: "3.0.0"
                              "2.8."
                            ends_with: false
                              var appVersion: "3.0.0"
                              "-rc.1"
                      "on"
                - basket.weightInGrams in ..<2000: 2000
            free: ruled out
              ? all
                + country in ["AT", "DE", "FR", "IT", "NL", "PL"]: "DE"
                ? any
                  ? tier == premium: nil (tier has no value)
                  - basket.totalInCents >= 10000: 6700
            parcel: selected

      """
    let result = await Program.run(["--as", "finn", "--explain", "--at", "2026-11-20T19:30"])
    #expect(result == Program.Result(output: expected))
  }

  @Test("With --explain, the table comes first and then everybody's explanation, in the same order")
  func everybodyExplained() async throws {
    let shoppers = try ShopperFile.embedded.shoppers()
    let storefront = try await Storefront(at: Samples.time)
    let explanations = try shoppers.map { shopper in
      "\n" + ExplanationText(of: shopper, try storefront.explanations(for: shopper)).description
    }
    let campaign = "\n\(try storefront.campaignExplanation())\n"
    let expected = await Program.run([], at: Samples.time).output + campaign + explanations.joined()
    #expect(await Program.run(["--explain"], at: Samples.time) == Program.Result(output: expected))
  }

  @Test("With --what-if, each shopper's smallest sets of conditions are shown")
  func whatIf() async {
    let expected = """
      finn:
        feature "one-click": ["drone"] would have to be satisfied

      """
    let result = await Program.run(["--what-if", "one-click", "--as", "finn"], at: Samples.time)
    #expect(result == Program.Result(output: expected))
    let flag = """
      bo:
        variant of flag "checkout" == "stepwise": stepwise = "stepwise" (DEFAULT) would have to be unsatisfied, and \
      variant of flag "checkout" == "single-page": stepwise = "stepwise" (DEFAULT) would have to be satisfied

      """
    #expect(await Program.run(["--what-if", "single-page", "--as", "bo"]) == Program.Result(output: flag))
    let selected = await Program.run(["--what-if", "semantic", "--as", "ada"], at: Samples.time)
    #expect(selected == Program.Result(output: "ada: gets it\n"))
    let impossible = await Program.run(
      ["--what-if", "semantic", "--as", "ada", "--disable", "semantic@search"], at: Samples.time)
    #expect(impossible == Program.Result(output: "ada: nothing would do\n"))
  }
}
