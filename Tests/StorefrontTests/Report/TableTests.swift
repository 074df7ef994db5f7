import Testing

@testable import storefront

@Suite("Table")
struct TableTests {
  @Test("Columns are as wide as their widest cell, and no line ends with spaces")
  func widths() {
    let table = Table(header: ["A", "LONG", "B"], rows: [["wide", "x", "1"], ["é", "", "22"]])
    let expected = """
      A     LONG  B
      wide  x     1
      é           22

      """
    #expect(table.description == expected)
  }
}
