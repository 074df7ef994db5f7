import Testing

@testable import Plug

@Suite("The cells of an injector")
struct InstanceCellsTests {
  private let templates = (0..<20).map { InstanceCellsTests.entry("\($0)") }

  private static func entry(_ tag: String) -> AnyEntry {
    let declaration = Declaration(
      Int.self, tag: Injector.Tag(rawValue: tag), location: CodeLocation(fileID: "A/B.swift", line: 1))
    return AnyEntry(declaration: declaration, isClosable: false)
  }

  /// Those of a scope for the first templates, and what finds them.
  private func cells(_ count: Int) -> InstanceCells {
    var cells = InstanceCells()
    for template in templates.prefix(count) { cells.add(AnyEntry(like: template, isClosable: false)) }
    return cells
  }

  private func names(_ cells: some Sequence<AnyEntry>) -> [String?] { cells.map { $0.tag?.rawValue } }

  private func isConsistent(_ cells: InstanceCells) -> Bool {
    var cells = cells
    return cells.own.allSatisfy { cell in cell.registered.flatMap { cells[$0] } === cell }
  }

  @Test("of a scope are found by what is registered, few or many", arguments: [0, 1, 8, 9, 20])
  func lookups(count: Int) {
    var cells = cells(count)
    #expect(templates.map { cells[$0] != nil } == (0..<20).map { $0 < count })
    #expect(names(cells.own) == names(templates.prefix(count)) && isConsistent(cells))
    #expect(cells.keepsNothing && names(cells.kept).isEmpty)
  }

  @Test("are kept in the order in which they are said to be, among others", arguments: [1, 2, 8, 9, 20])
  func order(count: Int) {
    var cells = cells(count)
    for template in templates.prefix(count).reversed() {
      let place = names(cells.kept).count
      if place % 3 == 1 { cells.keep(Self.entry("other \(place)")) }
      if let own = cells[template] { cells.keep(own) }
      #expect(isConsistent(cells) && cells.own.count == count)
    }
    let expected = (0..<count).reversed().reduce(into: [String]()) { names, number in
      if names.count % 3 == 1 { names.append("other \(names.count)") }
      names.append("\(number)")
    }
    #expect(names(cells.kept) == expected && !cells.keepsNothing)
    #expect(names(cells.takeKept().takeCells()) == expected)
    #expect(cells.keepsNothing && names(cells.kept).isEmpty)
  }

  @Test("are kept no longer, and stay the scope's own", arguments: [2, 8, 9, 20])
  func givingUp(count: Int) {
    var cells = cells(count)
    for own in cells.own { cells.keep(own) }
    let other = Self.entry("other")
    cells.keep(other)
    let none = cells.giveUp { $0.tag?.rawValue == "none" }
    #expect(none.isEmpty)
    #expect(names(cells.giveUp { $0 === other || $0.tag?.rawValue == "1" }) == ["1", "other"])
    #expect(names(cells.kept) == (0..<count).filter { $0 != 1 }.map(String.init))
    #expect(isConsistent(cells) && cells[templates[1]] != nil && cells.own.count == count)
    if let own = cells[templates[1]] { cells.keep(own) }
    #expect(names(cells.kept.suffix(1)) == ["1"] && isConsistent(cells))
  }

  @Test("without an instance go to whoever takes them away", arguments: [2, 8, 9, 20])
  func removal(count: Int) {
    var cells = cells(count)
    if let own = cells[templates[1]] { cells.keep(own) }
    let none = cells.removeUnmade { _ in false }
    #expect(none.isEmpty)
    #expect(names(cells.removeUnmade { $0.tag?.rawValue == "0" || $0.tag?.rawValue == "1" }) == ["0"])
    #expect(cells[templates[0]] == nil && isConsistent(cells) && names(cells.kept) == ["1"])
    #expect(cells.removeUnmade { _ in true }.count == count - 2)
    #expect(names(cells.own) == ["1"] && isConsistent(cells))
  }

  @Test("that another injector has kept come first")
  func others() {
    var cells = cells(2)
    for own in cells.own { cells.keep(own) }
    cells.keepFirst([Self.entry("a"), Self.entry("b")])
    #expect(names(cells.kept) == ["a", "b", "0", "1"] && isConsistent(cells))
  }

  @Test("are not found any more when another has taken their place, but still kept", arguments: [1, 9])
  func replaced(count: Int) {
    var cells = cells(count)
    let old = cells[templates[0]]
    #expect(cells.removeUnmade { $0 === old }.count == 1)
    old?.settle(as: .replaced)
    let new = AnyEntry(like: templates[0], isClosable: false)
    cells.add(new)
    if let old { cells.keep(old) }
    #expect(cells[templates[0]] === new)
    cells.keep(new)
    #expect(cells[templates[0]] === new)
    let kept = cells.takeKept().takeCells()
    #expect(kept.map(ObjectIdentifier.init) == [old, new].compactMap { $0.map(ObjectIdentifier.init) })
  }

  @Test("keep what is registered alive, and nobody else does")
  func references() {
    var cells = InstanceCells()
    weak var template: AnyEntry?
    do {
      let registered = Self.entry("")
      template = registered
      cells.add(AnyEntry(like: registered, isClosable: false))
    }
    #expect(template != nil)
    _ = cells.removeUnmade { _ in true }
    #expect(template == nil)
  }
}
