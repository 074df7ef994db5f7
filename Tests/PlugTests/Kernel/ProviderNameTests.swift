import Testing

@testable import Plug

@Suite("The names of providers")
struct ProviderNameTests {
  /// A number that exceeds the initial capacity of a thread's table.
  private static let names: [StaticString] = [
    "cart0", "cart1", "cart2", "cart3", "cart4", "cart5", "cart6", "cart7", "cart8", "cart9", "user0", "user1",
    "user2", "user3", "user4", "user5", "user6", "user7", "user8", "user9", "shop0", "shop1", "shop2", "shop3",
    "shop4", "shop5", "shop6", "shop7", "shop8", "shop9", "code0", "code1", "code2", "code3", "code4", "code5",
    "code6", "code7", "code8", "code9", "desk0", "desk1", "desk2", "desk3", "desk4", "desk5", "desk6", "desk7",
    "desk8", "desk9", "form0", "form1", "form2", "form3", "form4", "form5", "form6", "form7", "form8", "form9",
    "page0", "page1", "page2", "page3", "page4", "page5", "page6", "page7", "page8", "page9", "item0", "item1",
    "item2", "item3", "item4", "item5", "item6", "item7", "item8", "item9", "menu0", "menu1", "menu2", "menu3",
    "menu4", "menu5", "menu6", "menu7", "menu8", "menu9", "note0", "note1", "note2", "note3", "note4", "note5",
    "note6", "note7", "note8", "note9",
  ]

  @Test("differ for different providers, also on a thread that has seen many")
  func manyNames() {
    for _ in 0..<3 {
      let tags = Self.names.map { ProviderName.at("Shop/API.swift", 7, 3, $0).tag.rawValue }
      #expect(tags == Self.names.map { "Shop/API.swift:7:3#\($0)" })
    }
  }
}
