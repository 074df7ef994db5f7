import Hummingbird
import Testing

@Suite(.timeLimit(.minutes(5))) struct PromotionTests {
  // Of these two shoppers, the trial picks the second.
  private static let ada = HTTPFields.shopper("ada")
  private static let finn = HTTPFields.shopper("finn")

  @Test(arguments: [("off", "list", "list"), ("trial", "list", "promotion"), ("everyone", "promotion", "promotion")])
  func `The promotion changes while the server runs`(stage: String, ada: String, finn: String) async throws {
    try await TestShop().serving { client async throws in
      let body = #"{"stage":"\#(stage)"}"#
      #expect(try await client.put("/promotion", body) == Answer(200, body))
      #expect(try await client.get("/promotion") == Answer(200, body))
      #expect(try await client.get("/products/1/quote", as: Self.ada) == Self.quote(ada))
      #expect(try await client.get("/products/1/quote", as: Self.finn) == Self.quote(finn))
    }
  }

  private static func quote(_ pricing: String) -> Answer {
    let goods = pricing == "list" ? 2490 : 1992
    return Answer(
      200,
      """
      {"delivery":490,"goods":\(goods),"pricing":"\(pricing)","product":1,"quantity":1,"shipping":"parcel","tax":0,\
      "total":\(goods + 490)}
      """)
  }
}
