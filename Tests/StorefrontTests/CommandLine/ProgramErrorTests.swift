import Foundation
import Testing

@testable import storefront

@Suite("Program, on bad input")
struct ProgramErrorTests {
  @Test(
    "A wrong command line is answered with the mistake and a hint, and nothing on standard output",
    arguments: [
      (["--explian"], "unknown option \"--explian\""),
      (["ada"], "unexpected argument \"ada\""),
      (["--as"], "--as needs a value"),
      (["--share", "101"], "--share must be a number from 0 to 100, not \"101\""),
      (["--at", "noon"], "--at must be a time such as 2026-12-24T18:00, not \"noon\""),
      (["--data", "--explain"], "--data needs a value"),
    ])
  func usage(_ arguments: [String], _ problem: String) async {
    let expected = "storefront: \(problem)\nTry \"storefront --help\".\n"
    #expect(await Program.run(arguments) == Program.Result(errorOutput: expected, exitCode: 1))
  }

  @Test("An unknown shopper is answered with the known ones")
  func unknownShopper() async {
    let expected = """
      storefront: shoppers.json: no shopper is called "zed"; \
      there are ada, bo, cleo, dag, eve, finn, gia, hugo, ines, jun, kai, lou

      """
    #expect(await Program.run(["--as", "zed"]) == Program.Result(errorOutput: expected, exitCode: 1))
  }

  @Test("A file with a mistake is refused, even if the mistake is not about the shopper that is asked for")
  func mistakeElsewhere() async {
    let text = "[\(Samples.object()), \(Samples.object(["id": "\"two\"", "country": nil]))]"
    let result = await Program.run(["--as", "one", "--data", "mine.json"]) { _ in Data(text.utf8) }
    let expected = "storefront: mine.json: shopper 2: \"country\" is missing\n"
    #expect(result == Program.Result(errorOutput: expected, exitCode: 1))
  }

  @Test("A file that is not there is named")
  func missingFile() async {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path(percentEncoded: false)
    let expected = "storefront: \(path): there is no such file\n"
    #expect(await Program.run(["--data", path]) == Program.Result(errorOutput: expected, exitCode: 1))
  }

  @Test("A directory is not taken for a file")
  func directory() async throws {
    let path = FileManager.default.temporaryDirectory.path(percentEncoded: false)
    let expected = "storefront: \(path): this is a directory, not a file\n"
    #expect(await Program.run(["--data", path]) == Program.Result(errorOutput: expected, exitCode: 1))
  }
}
