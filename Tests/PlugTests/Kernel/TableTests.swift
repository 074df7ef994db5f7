import TestSupport
import Testing

@testable import Plug

private func makeCell(_ tag: Int? = nil) -> Cell {
  let recipe = Injection<Instance>.lazySingleton { Instance() }.definition.recipe
  let key = Key(Instance.self, tag.map { Injector.Tag(rawValue: "\($0)") })
  return Cell(Registration(key, .lazySingleton, recipe, depth: 0, location: .unknown))
}

@Suite("A table of cells")
struct TableTests {
  @Test("agrees with a dictionary after each of 2,000 random changes, with more and with fewer cells")
  func random() {
    var random = SplitMix64(seed: 28)
    var (table, model) = (Table(), [Key: Cell]())
    for turn in 0..<2_000 {
      let cell = makeCell(random.number(in: 0...(turn / 10)))
      let key = cell.registration.key
      switch random.number(in: 0...3) {
      case 0, 1:
        #expect(table.insert(cell) == (model.updateValue(cell, forKey: key) == nil))
      case 2:
        #expect(table.insert(cell, replacing: false) == (model[key] == nil))
        model[key] = model[key] ?? cell
      default:
        table.remove(key)
        model[key] = nil
      }
      #expect(table.count == model.count)
      #expect(table[key] === model[key])
    }
    #expect(Set(table.cells.map(ObjectIdentifier.init)) == Set(model.values.map(ObjectIdentifier.init)))
    for (key, cell) in model { #expect(table[key] === cell) }
  }
}

@Suite("A sealed table")
struct SealedTableTests {
  @Test("finds each of its cells, and no other", arguments: [0, 1, 2, 100])
  func found(count: Int) {
    let cells = (0..<count).map { makeCell($0) }
    let table = SealedTable(cells)
    for cell in cells { #expect(table.cell(of: cell.registration.key) === cell) }
    #expect(table.cell(of: Key(Instance.self, "absent")) == nil)
    #expect(table.cells.count == count)
  }

  @Test("does not show the instance of a cell that was replaced before")
  func remembered() {
    let (old, new) = (makeCell(), makeCell())
    let table = SealedTable([old])
    let injector = Injector()
    for (cell, maker) in [(old, 1), (new, 2)] as [(Cell, UInt)] { cell.claim.withLock { $0.begin(by: maker) } }
    table.replace(by: new)
    old.publish(Box(Instance("old")), in: injector)
    table.remember(old)
    #expect(place(of: new, in: table)?.instance == nil)
    new.publish(Box(Instance("new")), in: injector)
    table.remember(new)
    #expect(place(of: new, in: table)?.instance?.open(as: Instance.self).name == "new")
  }

  @Test("holds a replaced cell for threads that are reading it")
  func held() {
    weak var old: Cell?
    let table: SealedTable
    do {
      let cell = makeCell(1)
      old = cell
      table = SealedTable([cell])
    }
    table.replace(by: makeCell(1))
    #expect(old != nil)
    #expect(table.cells.count == 1)
    withExtendedLifetime(table) {}
  }

  @Test("is hidden while there is a reason")
  func hidden() throws {
    let cell = makeCell()
    let table = SealedTable([cell])
    let way = ShortWay()
    way.open(table)
    #expect(way.slot(of: Instance.self)?.cell === cell)
    table.hide(true, .hooks)
    table.hide(true, .isolation)
    table.hide(false, .hooks)
    #expect(way.slot(of: Instance.self) == nil)
    table.hide(false, .isolation)
    #expect(way.slot(of: Instance.self)?.cell === cell)
    way.open(nil)
    #expect(way.slot(of: Instance.self) == nil)
  }

  private func place(of cell: Cell, in table: SealedTable) -> SealedTable.SlotPointer? {
    let way = ShortWay()
    way.open(table)
    return way.slot(of: cell.registration.key.type)
  }
}
