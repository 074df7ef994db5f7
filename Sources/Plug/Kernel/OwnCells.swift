/// The cells of an injector for registrations of its parents, and for arguments, in the order in which they were added.
/// Each cell holds its registration.
struct OwnCells {
  /// The cells; `nil` where one was removed.
  private var places: [Cell?] = []
  private var count = 0
  /// The places by the hashes of their cells, once there are many: an open-addressed table, at most half full.
  private var slots: [Int] = []
  /// Changes when cells move to other places.
  private var version = 0

  /// Where a search continues among several cells with one registration and equal hashes.
  struct Cursor {
    fileprivate var version = -1
    fileprivate var next = 0
  }

  var isEmpty: Bool { count == 0 }
  var cells: [Cell] { places.compactMap { $0 } }

  /// The cell of a registration without arguments.
  func cell(of registration: Registration) -> Cell? {
    var cursor = Cursor()
    return cell(of: registration, nil, &cursor)
  }

  /// The next cell of a registration and for arguments with a hash.
  func cell(of registration: Registration, _ hash: Int?, _ cursor: inout Cursor) -> Cell? {
    place(of: registration, hash, &cursor).flatMap { places[$0] }
  }

  private func place(of registration: Registration, _ hash: Int?, _ cursor: inout Cursor) -> Int? {
    if cursor.version != version { cursor = Cursor(version: version, next: home(registration, hash)) }
    while true {
      let place = slots.isEmpty ? cursor.next : slots[cursor.next]
      if place >= places.count { return nil }
      cursor.next = slots.isEmpty ? place + 1 : (cursor.next + 1) & (slots.count - 1)
      if let cell = places[place], cell.registration === registration, cell.arguments?.hash == hash { return place }
    }
  }

  mutating func add(_ cell: Cell) {
    if places.isEmpty { places.reserveCapacity(8) }
    places.append(cell)
    count += 1
    if places.count * 2 <= slots.count {
      fillSlot(places.count - 1)
    } else if places.count >= 32 {
      rebuild(cells)
    }
  }

  /// Removes a cell, if it is still there.
  mutating func remove(_ cell: Cell) {
    var cursor = Cursor()
    while let place = place(of: cell.registration, cell.arguments?.hash, &cursor) {
      if places[place] !== cell { continue }
      places[place] = nil
      count -= 1
      if places.count > 16, count * 2 < places.count { rebuild(cells) }
      return
    }
  }

  /// Removes and returns some cells.
  mutating func remove(where isRemoved: (Cell) -> Bool) -> [Cell] {
    let all = cells
    let removed = all.filter(isRemoved)
    if !removed.isEmpty { rebuild(all.filter { !isRemoved($0) }) }
    return removed
  }

  private mutating func rebuild(_ rest: [Cell]) {
    (places, count, version, slots) = (rest, rest.count, version + 1, [])
    if count < 32 { return }
    var capacity = 128
    while capacity < count * 4 { capacity *= 2 }
    slots = Array(repeating: .max, count: capacity)
    for place in places.indices { fillSlot(place) }
  }

  private mutating func fillSlot(_ place: Int) {
    guard let cell = places[place] else { return }
    var slot = home(cell.registration, cell.arguments?.hash)
    while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = place
  }

  private func home(_ registration: Registration, _ hash: Int?) -> Int {
    if slots.isEmpty { return 0 }
    let word = UInt(bitPattern: ObjectIdentifier(registration)) ^ UInt(bitPattern: hash ?? 0)
    return Int(bitPattern: SealedTable.spread(word)) & (slots.count - 1)
  }
}
