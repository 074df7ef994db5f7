import TestSupport
import Testing

@testable import Plug

@Suite("The list of an injector's cells")
struct KeptCellsTests {
  private func makeCell(_ lifetime: Lifetime = .lazySingleton) -> Cell {
    let recipe = Injection<Instance>.lazySingleton { Instance() }.definition.recipe
    return Cell(Registration(Key(Instance.self), lifetime, recipe, depth: 0, location: .unknown))
  }

  private func places(_ cells: [Cell], in kept: KeptCells) -> [Int?] {
    kept.cells.map { cell in cells.firstIndex { $0 === cell } }
  }

  @Test("has each cell in the order in which the factories returned")
  func order() {
    let cells = [makeCell(.scoped), makeCell(), makeCell(.scoped)]
    var kept = KeptCells()
    kept.append(cells[0])
    kept.append(cells[2])
    kept.keep(cells[1])
    kept.keep(cells[2])
    kept.keep(cells[0])
    #expect(places(cells, in: kept) == [1, 2, 0])
  }

  @Test("does not take back an own cell that was taken from it")
  func taken() {
    let cell = makeCell(.scoped)
    var kept = KeptCells()
    kept.append(cell)
    #expect(kept.take { $0 === cell }.count == 1)
    kept.keep(cell)
    #expect(kept.isEmpty)
  }

  @Test("finds own cells by their registrations, also when there are many", arguments: [8, 31, 32, 33, 100])
  func found(count: Int) {
    let cells = (0..<count).map { makeCell($0.isMultiple(of: 3) ? .lazySingleton : .scoped) }
    var kept = KeptCells()
    for cell in cells { kept.append(cell) }
    let own = cells.filter(\.isOwn)
    for cell in own { #expect(kept.cell(of: cell.registration) === cell) }
    for cell in own { _ = kept.remove(cell, isRetired: \.isRetired) }
    for cell in own { #expect(kept.cell(of: cell.registration) == nil) }
    #expect(kept.cells.count == cells.count - own.count)
  }

  @Test("finds the own cells for arguments with one hash, also when there are many", arguments: [8, 40])
  func equalHashes(count: Int) {
    let (registration, other) = (makeCell(.scoped).registration, makeCell(.scoped).registration)
    let cells = (0..<count).map { Cell(registration, arguments: CellArguments(Box($0), hash: $0 % 2)) }
    var kept = KeptCells()
    for cell in cells { kept.append(cell) }
    for hash in [0, 1] {
      let found = kept.cells(of: registration, hash).map(ObjectIdentifier.init)
      #expect(found == cells.filter { $0.arguments?.hash == hash }.map(ObjectIdentifier.init))
    }
    #expect(kept.cell(of: registration) == nil)
    #expect(kept.cells(of: other, 1).isEmpty)
    for cell in cells[..<(count - 1)] { _ = kept.remove(cell, isRetired: \.isRetired) }
    #expect(kept.cells(of: registration, 1).map(ObjectIdentifier.init) == [ObjectIdentifier(cells[count - 1])])
    #expect(kept.cells(of: registration, 0).isEmpty)
  }

  @Test("removes retired cells when as many are retired as are left")
  func retired() {
    let cells = (0..<60).map { _ in makeCell() }
    var kept = KeptCells()
    for cell in cells { kept.append(cell) }
    var removed = 0
    for cell in cells[..<40] {
      _ = cell.claim.withLock { $0.retire(isHandedIn: false) }
      removed += kept.remove(cell, isRetired: \.isRetired).count
    }
    #expect(kept.cells.count <= 60 - 31)
    #expect(cells[40...].allSatisfy { cell in kept.cells.contains { $0 === cell } })
    #expect(removed > 0)
  }

  @Test("finds the own cells that are left after others were taken")
  func takenOwn() {
    let cells = (0..<60).map { makeCell($0.isMultiple(of: 3) ? .lazySingleton : .scoped) }
    var kept = KeptCells()
    for cell in cells { kept.append(cell) }
    #expect(kept.takeInOrder(Array(cells[..<20])).count == 20)
    for cell in cells.filter(\.isOwn) {
      let isLeft = kept.cells.contains { $0 === cell }
      #expect((kept.cell(of: cell.registration) === cell) == isLeft)
    }
    #expect(kept.cells.count == 40)
  }

  @Test("returns removed cells in their order, after those that are not in the list")
  func inOrder() {
    let cells = (0..<4).map { _ in makeCell() }
    var kept = KeptCells()
    for cell in cells[1...] { kept.append(cell) }
    let taken = kept.takeInOrder([cells[3], cells[0], cells[1]])
    #expect(taken.map { cell in cells.firstIndex { $0 === cell } } == [0, 1, 3])
    #expect(places(cells, in: kept) == [2])
  }

  @Test("replaces a cell at its place")
  func replaced() {
    let cells = (0..<3).map { _ in makeCell() }
    var kept = KeptCells()
    for cell in cells[..<2] { kept.append(cell) }
    kept.replace(cells[0], by: cells[2])
    #expect(places(cells, in: kept) == [2, 1])
  }
}
