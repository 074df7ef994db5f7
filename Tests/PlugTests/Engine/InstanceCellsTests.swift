import Synchronization
import TestSupport
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
    cells.own.allSatisfy { cell in cell.registered.flatMap { cells[$0] } === cell }
  }

  @Test("of a scope are found by what is registered, few or many", arguments: [0, 1, 8, 9, 20])
  func lookups(count: Int) {
    let cells = cells(count)
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

  @Test("are kept in order also where they come into a place that has become vacant", arguments: [3, 20])
  func vacancies(count: Int) {
    var cells = InstanceCells()
    let kept = (0..<count).map { Self.entry("\($0)") }
    for cell in kept { cells.keep(cell) }
    #expect(names(cells.giveUp { Int($0.tag?.rawValue ?? "").map { $0 % 2 == 0 } == true }).count == (count + 1) / 2)
    for template in templates { cells.add(AnyEntry(like: template, isClosable: false)) }
    let later = (0..<count).map { Self.entry("later \($0)") }
    for cell in later { cells.keep(cell) }
    let expected = (0..<count).filter { $0 % 2 == 1 }.map(String.init) + (0..<count).map { "later \($0)" }
    #expect(names(cells.kept) == expected && isConsistent(cells) && cells.own.count == 20)
    #expect(cells.removeUnmade { _ in true }.count == 20 && cells.keepsAll && cells.own.isEmpty)
    var taken = cells.takeKept()
    var names = [String?]()
    while let slot = taken.popLast() { names.append(taken.cell(of: slot)?.tag?.rawValue) }
    #expect(names == expected.reversed() && cells.keepsNothing)
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

  @Test("are not needed by instances, and get these when somebody asks for them", arguments: [1, 9])
  func instances(count: Int) throws {
    let thread = unsafe ThreadLocalContext.context
    let templates = (0..<count).map { number in
      let declaration = Declaration(String.self, tag: nil, location: CodeLocation(fileID: "A/B.swift", line: number))
      return Injection.scoped { "" }.makeCell(declaration)
    }
    var cells = InstanceCells()
    var places = templates.enumerated().map { number, template in
      unsafe cells.begin(.passUnretained(template), on: thread, number: UInt(number), at: 1)
    }
    let isCancelled = unsafe [cells.cancel(places[0], on: thread), cells.cancel(places[0], on: thread)]
    #expect(isCancelled == [true, false])
    let cancelled = places[0]
    places[0] = unsafe cells.begin(.passUnretained(templates[0]), on: thread, number: 100, at: 1)
    #expect(places[0].place == cancelled.place)
    let late = unsafe cells.finish(cancelled, on: thread, size: 16, alignment: 8)
    #expect(unsafe late == nil)
    let order = (1..<count).reversed() + [0]
    for index in order {
      let size = MemoryLayout<String>.size
      let place = unsafe cells.finish(places[index], on: thread, size: size, alignment: MemoryLayout<String>.alignment)
      let instance = try unsafe #require(place)
      unsafe instance.initializeMemory(as: String.self, to: "the text of number \(index)")
      let found = unsafe cells.instance(of: templates[index])
      #expect(unsafe found == instance)
    }
    let values = cells.kept.map { unsafe $0.instance.pointer(to: String.self)?.pointee }
    #expect(values == order.map { "the text of number \($0)" })
    #expect(templates.allSatisfy { unsafe cells.instance(of: $0) == nil && cells[$0] != nil })
  }

  @Test("take the place of what a thread makes, and are handed to that")
  func handedOver() {
    let thread = unsafe ThreadLocalContext.context
    let template = Injection.scoped { "" }.makeCell(
      Declaration(String.self, tag: nil, location: CodeLocation(fileID: "A/B.swift", line: 1)))
    var cells = InstanceCells()
    let number = ThreadContext.current.makings.begin()
    let own = unsafe cells.begin(.passUnretained(template), on: thread, number: number, at: 1)
    let cell = cells[template]
    let place = unsafe cells.finish(own, on: thread, size: 16, alignment: 8)
    #expect(unsafe cell != nil && place == nil)
    #expect(cell.map { Making.context(at: $0.maker.load(ordering: .relaxed)) === ThreadContext.current } == true)
    let handedOver = [ThreadContext.current.makings.take(number), ThreadContext.current.makings.take(number)]
    #expect(handedOver[0] === cell && handedOver[1] == nil)
  }
}

extension InstanceCells {
  fileprivate func instance(of template: AnyEntry) -> UnsafeMutableRawPointer? {
    guard let place = unsafe place(of: .passUnretained(template)) else { return nil }
    return unsafe instance(at: place)
  }
}
