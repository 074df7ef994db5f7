import HTTPTypes
import Hummingbird
import Testing

@Suite struct AnswerTests {
  @Test func `The products are listed`() async throws {
    let answer = try await TestShop().serving { try await $0.get("/products") }
    #expect(
      answer
        == Answer(
          200,
          """
          [{"id":1,"name":"Teapot","price":2490,"stock":1000000,"weight":900},\
          {"id":2,"name":"Kettle","price":3950,"stock":1000000,"weight":1400},\
          {"id":3,"name":"Tray","price":1800,"stock":3,"weight":2100},\
          {"id":4,"name":"Cup","price":650,"stock":1000000,"weight":250}]
          """))
  }

  @Test(arguments: [
    (HTTPFields(), "list", "parcel", 2490, 490, 0),
    (.shopper(country: "FR"), "list", "parcel", 2490, 490, 596),
    (.shopper(tier: "gold"), "member", "free", 2365, 0, 0),
    (.shopper(tier: "platinum"), "member", "free", 2241, 0, 0),
    (.shopper(country: "DE", version: "3.1.0", tier: "gold"), "member", "courier", 2365, 990, 637),
    (.shopper(country: "NL", version: "2.9.9"), "list", "parcel", 2490, 490, 625),
  ])
  func `A quote depends on the headers`(
    headers: HTTPFields, pricing: String, shipping: String, goods: Int, delivery: Int, tax: Int
  ) async throws {
    let answer = try await TestShop().serving { try await $0.get("/products/1/quote", as: headers) }
    #expect(
      answer
        == Answer(
          200,
          """
          {"delivery":\(delivery),"goods":\(goods),"pricing":"\(pricing)","product":1,"quantity":1,\
          "shipping":"\(shipping)","tax":\(tax),"total":\(goods + delivery + tax)}
          """))
  }

  @Test func `An order is stored before it is acknowledged, and can be read`() async throws {
    let shop = try TestShop()
    let order = """
      {"id":"00000000-0000-0000-0000-000000000001","payment":"invoice","product":1,"quantity":2,"shopper":"ada",\
      "total":5628}
      """
    try await shop.serving { client async throws in
      let headers = HTTPFields.shopper(country: "DE", tier: "gold")
      #expect(try await client.post("/orders", #"{"product":1,"quantity":2}"#, as: headers) == Answer(201, order))
      #expect(try shop.storedOrders().map(\.total) == [5628])
      #expect(try await client.get("/orders/00000000-0000-0000-0000-000000000001") == Answer(200, order))
    }
  }

  @Test(arguments: [
    ("/products/9/quote", Answer(404, #"{"error":{"message":"There is no product 9."}}"#)),
    ("/products/1/quote?quantity=0", Answer(400, #"{"error":{"message":"The quantity must be in 1...1000."}}"#)),
    ("/orders/9", Answer(404, #"{"error":{"message":"There is no order 9."}}"#)),
    ("/explain/weather", Answer(404, "")),
    ("/nothing", Answer(404, "")),
  ])
  func `What does not exist is said`(uri: String, answer: Answer) async throws {
    #expect(try await TestShop().serving { try await $0.get(uri) } == answer)
  }

  @Test func `A malformed header is the client's mistake, though a factory reads it`() async throws {
    let answer = try await TestShop().serving {
      try await $0.get("/products/1/quote", as: .shopper(version: "three"))
    }
    #expect(answer == Answer(400, #"{"error":{"message":"App-Version is malformed."}}"#))
  }

  @Test func `An explanation says why the shopper gets what they get`() async throws {
    try await TestShop().serving { client async throws in
      #expect(
        try await client.get("/explain/pricing", as: .shopper(tier: "gold"))
          == Answer(
            200,
            """
            Pricing in Injector: 2 of 3 apply, selected: member
              point pricing: open
                promotion: ruled out
                  - any
                    - CurrentPromotion == everyone: off
                    - all
                      - CurrentPromotion == trial: off
                      - rollout 25% of "promotion" by id: "ada" in bucket 54.91
                member: selected
                  + tier in [gold, platinum]: gold
                list: available as number 2

            """))
      #expect(
        try await client.get("/explain/shipping", as: .shopper(country: "FR", version: "3.1.0"))
          == Answer(
            200,
            """
            Shipping in Shopper: 1 of 3 apply, selected: parcel
              point shipping: open
                courier: ruled out
                  - all
                    + appVersion >= 3.0.0: 3.1.0
                    - country in ["DE", "NL"]: "FR"
                free: ruled out
                  - tier in [gold, platinum]: standard
                parcel: selected

            """))
      #expect(
        try await client.get("/explain/payment")
          == Answer(
            200,
            """
            Payment in Shopper: 1 of 3 apply, selected: card
              point payment: open
                invoice: ruled out
                  - all
                    - tier in [gold, platinum]: standard
                    ? country in ["AT", "DE"]: nil (country has no value)
                wallet: ruled out
                  ? appVersion >= 2.4.0: nil (appVersion has no value)
                card: selected

            """))
    }
  }
}
