import Testing

@testable import Plug

@Suite("The cells that a scope has of its own")
struct OwnCellsTests {
  private let templates = (0..<20).map { number in
    AnyEntry(
      declaration: Declaration(
        Int.self, tag: Injector.Tag(rawValue: "\(number)"), location: CodeLocation(fileID: "A/B.swift", line: 1)),
      isClosable: false)
  }

  private func cell(of template: AnyEntry) -> AnyEntry {
    AnyEntry(declaration: template.declaration, isClosable: false, ownCellOf: template)
  }

  @Test("are found by what is registered, few or many", arguments: [0, 1, 8, 9, 20])
  func lookups(count: Int) {
    var cells = OwnCells()
    let own = templates.prefix(count).map(cell)
    for cell in own { cells.add(cell) }
    #expect(cells.isEmpty == (count == 0))
    #expect(
      templates.map { cells[$0] }.map { $0.map(ObjectIdentifier.init) }
        == own.map(ObjectIdentifier.init) + Array(repeating: nil, count: 20 - count))
    #expect(Set(cells.cells.map(ObjectIdentifier.init)) == Set(own.map(ObjectIdentifier.init)))
  }

  @Test("go one by one, or all at once, and are given to whoever takes them away", arguments: [1, 8, 9, 20])
  func removal(count: Int) {
    var cells = OwnCells()
    for template in templates.prefix(count) { cells.add(cell(of: template)) }
    #expect(cells.remove { _ in false }.isEmpty)
    let gone = cells.remove { $0.cell.tag?.rawValue == "0" }
    #expect(gone.map(\.cell.tag?.rawValue) == ["0"] && cells[templates[0]] == nil)
    #expect(Set(cells.cells.map(\.tag)) == Set(templates[1..<count].map(\.tag)))
    for template in templates[1..<count] { #expect(cells[template]?.registered === template) }
    #expect(cells.take().cells.count == count - 1)
    #expect(cells.isEmpty && cells.cells.isEmpty)
  }

  @Test("keep what is registered alive, and nobody else does")
  func references() {
    var cells = OwnCells()
    weak var template: AnyEntry?
    do {
      let registered = AnyEntry(declaration: templates[0].declaration, isClosable: false)
      template = registered
      cells.add(cell(of: registered))
    }
    #expect(template != nil)
    _ = cells.take()
    #expect(template == nil)
  }
}
