import Testing

@testable import storefront

@Suite("Arguments")
struct ArgumentsTests {
  @Test("With no arguments, everybody is shown from the built-in data")
  func nothing() throws {
    let arguments = try Arguments([])
    #expect(arguments.shopperID == nil)
    #expect(arguments.dataFile == nil)
    #expect(arguments.time == nil)
    #expect(!arguments.explains)
    #expect(!arguments.showsHelp)
  }

  @Test(
    "Options are understood in any order",
    arguments: [
      ["--as", "ada", "--explain", "--data", "mine.json", "--at", "2026-12-24T18:00"],
      ["--at", "2026-12-24T18:00", "--data", "mine.json", "--as", "ada", "--explain"],
      ["--explain", "--data", "mine.json", "--at", "2026-12-24T18:00", "--as", "ada"],
    ])
  func anyOrder(_ texts: [String]) throws {
    let arguments = try Arguments(texts)
    #expect(arguments.shopperID == "ada")
    #expect(arguments.dataFile == "mine.json")
    #expect(arguments.time == Moment("2026-12-24T18:00"))
    #expect(arguments.explains)
    #expect(!arguments.showsHelp)
  }

  @Test("Another flag document is a change")
  func flags() throws {
    let arguments = try Arguments(["--flags", "new.json", "--impact"])
    #expect(arguments.flagsFile == "new.json")
    #expect(arguments.showsImpact)
  }

  @Test("Of an option that is given twice, the last value counts")
  func lastValue() throws {
    #expect(try Arguments(["--as", "ada", "--as", "bo"]) == Arguments(["--as", "bo"]))
  }

  @Test("The help option comes first, whatever follows it")
  func helpFirst() throws {
    #expect(try Arguments(["--help", "--bogus"]).showsHelp)
  }

  @Test(
    "What makes no sense is refused",
    arguments: [
      (["--bogus"], UsageError.unknownOption("--bogus")),
      (["-x"], .unknownOption("-x")),
      (["--as=ada"], .unknownOption("--as=ada")),
      (["ada"], .unexpectedArgument("ada")),
      ([""], .unexpectedArgument("")),
      (["--as"], .missingValue("--as")),
      (["--as", ""], .missingValue("--as")),
      (["--as", "--explain"], .missingValue("--as")),
      (["--explain", "--data"], .missingValue("--data")),
      (["--at"], .missingValue("--at")),
      (["--at", "18:00"], .invalidTime("18:00", option: "--at")),
      (["--disable", "semantic"], .invalidCandidate("semantic", option: "--disable")),
      (["--disable", "@search"], .invalidCandidate("@search", option: "--disable")),
      (["--disable", "a@b@c"], .invalidCandidate("a@b@c", option: "--disable")),
      (["--impact"], .missingChange),
      (["--flags"], .missingValue("--flags")),
      (["--graph"], .missingValue("--graph")),
      (["--graph", "svg"], .invalidValue("svg", option: "--graph", allowed: ["mermaid", "dot", "text"])),
    ])
  func refused(_ texts: [String], _ error: UsageError) {
    #expect(throws: error) { try Arguments(texts) }
  }
}
