import Plug
import PlugKeys
import Testing

@testable import PlugFlags

/// The hashes were computed by another program, from the text of flagd's decision on non-string bucketing values, from
/// RFC 8949, and from the definition of MurmurHash3. That program has all published buckets of the third version.
@Suite("The versions of fractional")
struct FractionalVersionTests {
  private struct Vector: Sendable, CustomTestStringConvertible {
    let value: FlagValue
    let hash: UInt32

    var testDescription: String { value.description }
  }

  private static let vectors =
    strings3.map { Vector(value: .string($0), hash: $1) }
    + (whole + floats + objects).map { Vector(value: (try? FlagValue(json: $0)) ?? .null, hash: $1) }
    + [Vector(value: true, hash: 0x31D7_A60B), Vector(value: false, hash: 0x06F1_5207)]

  /// A document that tells the bucket among 1,000,000.
  private func document(_ seed: String, _ version: FractionalVersion) throws -> FlagDocument {
    try FlagDocument(
      #"""
      {"flags": {"flag": {"state": "ENABLED", "variants": {"on": "on", "off": "off"}, "defaultVariant": "off",
      "targeting": {"fractional": [\#(seed)["on", 1000000]]}}}}
      """#, fractional: version)
  }

  private func remark(_ hash: UInt32, _ version: FractionalVersion) -> String {
    "bucket \((UInt64(hash) * 1_000_000) >> 32) of 1000000, \(version)"
  }

  @Test("hash values of each type in the third", arguments: vectors)
  private func values(vector: Vector) throws {
    var hash = MurmurHash3()
    hash.combine(cbor: vector.value)
    #expect(hash.finalize() == vector.hash)
    let explanation = try document(#"{"var": "x"}, "#, .v3).explain("flag", in: ["x": vector.value] as FlagAttributes)
    #expect(explanation.evaluation.reason == .targetingMatch)
    #expect(explanation.targeting?.remark == remark(vector.hash, .v3))
  }

  @Test("hash strings in the second", arguments: strings2)
  func strings(text: String, hash: UInt32) throws {
    let explanation = try document(#"{"var": "x"}, "#, .v2).explain("flag", in: ["x": .string(text)] as FlagAttributes)
    #expect(explanation.targeting?.remark == remark(hash, .v2))
  }

  @Test("hash the flag key with the targeting key", arguments: [(FractionalVersion.v2, keys2), (.v3, keys3)])
  func targetingKeys(version: FractionalVersion, keys: [(String, UInt32)]) throws {
    for seed in ["", #"["off", 0], "#] + (version == .v2 ? ["null, "] : []) {
      let document = try document(seed, version)
      for (key, hash) in keys {
        let explanation = document.explain("flag", in: FlagAttributes(targetingKey: key))
        #expect(explanation.targeting?.remark == remark(hash, version), "\(key)")
        #expect(document.evaluate("flag", in: FlagAttributes(targetingKey: key)).variant == "on")
      }
    }
  }

  @Test("give null for null in the third, and for all but strings and null in the second")
  func nulls() throws {
    for (seed, version) in [("null", FractionalVersion.v3), ("7", .v2), ("{\"!\": 1}", .v2)] {
      let result = try document("\(seed), ", version).evaluate("flag", in: FlagAttributes(targetingKey: "x"))
      #expect(result == FlagEvaluation(value: "off", variant: "off", reason: .default))
    }
    let absent = try document(#"{"var": "x"}, "#, .v3).evaluate("flag", in: FlagAttributes(targetingKey: "x"))
    #expect(absent.reason == .default)
    for version in [FractionalVersion.v2, .v3] {
      #expect(try document("", version).evaluate("flag", in: FlagAttributes(targetingKey: "")).reason == .default)
      #expect(try document("", version).evaluate("flag", in: ["targetingKey": 7] as FlagAttributes).reason == .default)
    }
  }

  @Test("tell of bucketing values that cannot be meant")
  func problems() throws {
    let all = try [("7, ", FractionalVersion.v2), ("7, ", .v3), ("null, ", .v2), ("null, ", .v3)].map {
      try document($0, $1).problems.map(\.description)
    }
    #expect(
      all == [
        ["flags.flag.targeting.fractional: the bucketing value 7 is not a string"], [], [],
        ["flags.flag.targeting.fractional: the bucketing value is null, and so is the result"],
      ])
  }

  @Test(
    "have the published buckets of the third",
    arguments: [
      ("fractional-flag", "jack", "diamonds"), ("fractional-flag", "queen", "diamonds"),
      ("fractional-flag", "ten", "clubs"), ("fractional-flag", "nine", "clubs"), ("fractional-flag", "3", "spades"),
      ("shared-seed", "seven", "hearts"), ("shared-seed", "eight", "hearts"), ("shared-seed", "nine", "diamonds"),
      ("shared-seed", "two", "diamonds"),
    ])
  func published(seed: String, name: String, variant: String) throws {
    let document = try FlagDocument(
      #"""
      {"flags": {"cards": {"state": "ENABLED", "variants": {"clubs": 1, "diamonds": 2, "hearts": 3, "spades": 4},
      "targeting": {"fractional": [{"cat": ["\#(seed)", {"var": "name"}]},
        ["clubs", 25], ["diamonds", 25], ["hearts", 25], ["spades", 25]]}}}}
      """#, fractional: .v3)
    #expect(document.evaluate("cards", in: ["name": .string(name)] as FlagAttributes).variant == variant)
  }

  @Test("are chosen for each source, and are part of a document")
  func sources() async throws {
    let (folder, services) = (try Folder(), Injector())
    let text = try document("", .v2).json()
    try folder.write(text, to: "flags.json")
    let file = FlagFile(folder.path("flags.json"), fractional: .v3)
    let following = try await services.follow(file)
    #expect(services[Flags.self] == (try FlagDocument(text, fractional: .v3)))
    #expect(services[Flags.self] != (try FlagDocument(text)))
    #expect(try FlagDocument(text).changedKeys(since: services[Flags.self]) == ["flag"])
    #expect(try FlagDocument(contentsOfFile: file.path, fractional: .v3) == services[Flags.self])
    following.cancel()
  }

  @Test("are those of rollouts", arguments: [(FractionalVersion.v2, RolloutHashing.flagd), (.v3, .flagdV3)])
  func rollouts(version: FractionalVersion, hashing: RolloutHashing) throws {
    let document = try FlagDocument(
      """
      {"flags": {"one-click": {"state": "ENABLED", "variants": {"on": 1, "off": 0},
      "targeting": {"fractional": [["on", 25], ["off", 75]]}}}}
      """, fractional: version)
    for number in 0..<1_000 {
      let id = "customer-\(number)"
      let isIn = hashing.bucket(of: id, in: "one-click") < 25
      #expect(document.evaluate("one-click", in: FlagAttributes(targetingKey: id)).variant == (isIn ? "on" : "off"))
    }
  }

  private static let strings3: [(String, UInt32)] = [
    ("", 0x276E_BECF), ("a", 0x3710_91A9), ("customer-17", 0x5FFF_F377), ("12345678901234567890123", 0x26FB_73B4),
    ("123456789012345678901234", 0x8E20_712A), (String(repeating: "a", count: 255), 0xAF9E_5261),
    (String(repeating: "a", count: 256), 0x46E6_5A77), (String(repeating: "a", count: 65536), 0x9079_6C3E),
    ("\u{E9}", 0x16C9_66EF), ("e\u{301}", 0xA351_35B2), ("\u{65E5}\u{672C}\u{8A9E}", 0x9A64_9F6C),
    ("\u{1F600}", 0x0078_6B6B), ("true", 0xF353_41C9), ("null", 0x49B3_92C3), ("0", 0x1990_D1B0), ("1.0", 0xD467_1807),
    ("with space", 0x6210_9D1E), ("jon@company.com", 0x1BCC_FE8B), ("A\u{0}B", 0x8D40_51C1), ("x\"y\\z", 0xC5F0_E63C),
  ]

  private static let strings2: [(String, UInt32)] = [
    ("", 0x0000_0000), ("a", 0x3C25_69B2), ("customer-17", 0x1D8E_B544), ("12345678901234567890123", 0xE9D1_687C),
    ("123456789012345678901234", 0x4F7B_CB39), (String(repeating: "a", count: 255), 0x0DCA_5C9D),
    (String(repeating: "a", count: 256), 0xA879_6809), (String(repeating: "a", count: 65536), 0x4B62_7E8C),
    ("\u{E9}", 0x1011_0787), ("e\u{301}", 0x9F32_A268), ("\u{65E5}\u{672C}\u{8A9E}", 0xA5A4_7297),
    ("\u{1F600}", 0xBEB4_2EFA), ("true", 0x34ED_CF72), ("null", 0x66F0_7992), ("0", 0xD271_C07F), ("1.0", 0x2968_B472),
    ("with space", 0x1DD4_392B), ("jon@company.com", 0x5CD9_1845), ("A\u{0}B", 0x835B_BC1E), ("x\"y\\z", 0x19B9_A7F3),
  ]

  private static let whole: [(String, UInt32)] = [
    ("0", 0x514E_28B7), ("1", 0xE45A_D1AB), ("-1", 0x7EF4_9B98), ("10", 0x924E_E0AB), ("23", 0xD5D8_1E52),
    ("24", 0x6E4E_3460), ("-24", 0x23EA_8628), ("-25", 0xA303_D021), ("255", 0x7D56_D34D), ("256", 0x7AEE_FFC9),
    ("-256", 0x6399_3FFB), ("-257", 0x16C4_B37E), ("65535", 0x2656_3232), ("65536", 0x6DEE_AD09),
    ("4294967295", 0x8AAC_1577), ("4294967296", 0xBAA9_A467), ("-4294967296", 0xD923_9A05),
    ("9007199254740991", 0x0F45_5434), ("-9007199254740991", 0x9CE0_D61D), ("1700000000", 0x71AF_402E),
  ]

  private static let floats: [(String, UInt32)] = [
    ("0.5", 0x87BA_30EE), ("-0.5", 0x739A_8C7A), ("1.5", 0x14AD_E9B6), ("1.1", 0x8A11_202F), ("-4.1", 0xD19F_3D7F),
    ("0.1", 0x0680_C93C), ("2.5e-8", 0xDE1A_EC79), ("65504.5", 0xA384_CF3E), ("0.00006103515625", 0xD81C_5A69),
    ("0.000060975551605224609375", 0x3FC6_AD7E), ("0.000000059604644775390625", 0xE53D_042B), ("100000.5", 0x6CDC_081B),
    ("3.5e38", 0x0042_D1BB), ("-3.5e38", 0x377F_3238), ("1e20", 0xBBEA_2457), ("-1e300", 0x8BB9_BB2B),
    ("1.7976931348623157e308", 0xAD42_97BA), ("5e-324", 0x0B20_574D), ("1.1754943508222875e-38", 0xF1AD_4919),
    ("3.14159265358979", 0xBBB2_79FE),
  ]

  private static let objects: [(String, UInt32)] = [
    (#"{}"#, 0x1860_2035), (#"{"a":1}"#, 0xFD01_4887), (#"{"a":1,"b":2}"#, 0xE5B1_4A9E),
    (#"{"b":2,"a":1}"#, 0xE5B1_4A9E),
    (#"{"z":1,"aa":2}"#, 0xCD7F_9871), (#"{"aaa":1,"ÿ":2}"#, 0x7234_C5F7), (#"{"":2,"abc":1}"#, 0xFE9B_1D3A),
    (#"{"k":-0.0}"#, 0xA5B3_7F20), (#"{"k":0.5}"#, 0x995B_36A4), (#"{"k":true}"#, 0x128C_E7F4),
    (#"{"k":false}"#, 0xB1BC_A982), (#"{"k":null}"#, 0x7989_E00C), (#"{"k":[]}"#, 0x95EA_2392),
    (#"{"k":[1,"two",true,[],null]}"#, 0x3A16_2EDE), (#"{"k":{"k":{"k":{}}}}"#, 0xCA99_4682),
    (#"{"a":[1,[],3],"b":null}"#, 0x1630_846E), (#"{"id":"p-17","tenant":7}"#, 0x9EC9_F679),
    (#"{"a":{"b":1},"b":2}"#, 0x5BD1_8BE7), (#"{"k":"café"}"#, 0xA386_8F2B),
    (#"{"a":true,"bbb":1,"c":"text","dddd":2.5}"#, 0xFA06_B3E4),
  ]

  private static let keys3: [(String, UInt32)] = [
    ("a", 0x6A0D_1648), ("customer-17", 0x27BE_3A3F), ("12345678901234567890123", 0x171E_818A),
    ("123456789012345678901234", 0xD9CB_4F0B), (String(repeating: "a", count: 255), 0x0CEA_1DE6),
    (String(repeating: "a", count: 256), 0x996B_07E8), (String(repeating: "a", count: 65536), 0xDA4B_484D),
    ("\u{E9}", 0xF21C_ECEA), ("e\u{301}", 0x8CC6_B83B), ("\u{65E5}\u{672C}\u{8A9E}", 0x6C59_5773),
    ("\u{1F600}", 0x9BA8_FBC8), ("true", 0xE134_F20A), ("null", 0xA509_678E), ("0", 0xBBE7_588C), ("1.0", 0xCB19_D38E),
    ("with space", 0x4E7B_F4AE), ("jon@company.com", 0xDFAF_E494), ("A\u{0}B", 0xDF60_0ECE), ("x\"y\\z", 0x83B3_9FF0),
    ("x", 0x3704_8087),
  ]

  private static let keys2: [(String, UInt32)] = [
    ("a", 0x4B94_9436), ("customer-17", 0x82AA_EA13), ("12345678901234567890123", 0x8286_BC23),
    ("123456789012345678901234", 0x4148_BDFD), (String(repeating: "a", count: 255), 0xEE9E_1C1B),
    (String(repeating: "a", count: 256), 0xDCBA_F202), (String(repeating: "a", count: 65536), 0x1CA0_DAF6),
    ("\u{E9}", 0xDC61_CA7B), ("e\u{301}", 0x81B0_940A), ("\u{65E5}\u{672C}\u{8A9E}", 0x7D0C_3C8B),
    ("\u{1F600}", 0xD2E9_59D2), ("true", 0xE7A8_0F1A), ("null", 0x39E9_DDAE), ("0", 0xDC21_D470), ("1.0", 0x550E_FA1A),
    ("with space", 0x9FE5_E185), ("jon@company.com", 0x0EF6_2F37), ("A\u{0}B", 0xC057_BBE3), ("x\"y\\z", 0x0A8E_EED2),
    ("x", 0x6F59_3559),
  ]
}
