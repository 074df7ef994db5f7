/// The cells of an injector: those with an instance to be given up, in order of construction, and those of a scope for
/// what is registered as scoped, as long as they have none.
///
/// Each has a slot, which stays where it is. Those with an instance are linked, the last one first. A scope finds its
/// own by what is registered. Most of its own have no cell, until somebody asks for one.
///
/// Soundness of the unchecked conformance: the memory belongs to this or to what is taken from this, whoever has that.
/// A place is used only while it is below the count of slots there.
struct InstanceCells: @unchecked Sendable {
  private var owner: InstanceMemory.Owner?
  private var memory: InstanceMemory? { owner.map { InstanceMemory(of: $0) } }
  private var depth: Int32 = 0

  /// Where the one is whose instance was made last, and the vacant one that is filled next.
  private var last = InstanceSlot.nowhere
  private var vacant = InstanceSlot.nowhere

  private var keptCount = 0
  private var usedCount = 0

  /// The marks of what there has been a slot for, so that nobody looks for what is certainly not here.
  private var marks: UInt = 0

  private var places: InstancePlaces?

  /// Those with an instance to be given up, and the states of properties, in order of construction.
  var kept: [AnyEntry] { keptPlaces.compactMap { cell(at: $0) } }

  var isEmpty: Bool { usedCount == 0 }
  var keepsNothing: Bool { keptCount == 0 }
  var keepsAll: Bool { keptCount == usedCount }

  func allKept(_ isTrue: (InstanceSlot) -> Bool) -> Bool {
    guard let memory else { return true }
    return keptFromLast(in: memory).allSatisfy { unsafe isTrue(memory.slots[$0]) }
  }

  /// Those of a scope for what is registered as scoped, in no order.
  var own: [AnyEntry] {
    guard let memory else { return [] }
    return (0..<memory.count).filter { unsafe memory.slots[$0].isOwn }.compactMap { cell(at: $0) }
  }

  subscript(registered: AnyEntry) -> AnyEntry? {
    unsafe place(of: .passUnretained(registered)).flatMap { cell(at: $0) }
  }

  /// The cell there, which is made if there is none.
  func cell(at place: Int) -> AnyEntry? {
    guard let memory else { return nil }
    unsafe memory.slots[place].materialize(memory, at: depth)
    return unsafe memory.slots[place].cell
  }

  /// One whose place another has taken may still be kept, until its instance has been given up.
  @inline(__always)
  func place(of registered: Unmanaged<AnyEntry>) -> Int? {
    guard let memory, unsafe marks & InstanceSlot.mark(of: registered) != 0 else { return nil }
    if places?.own == nil { return unsafe memory.place(of: registered) }
    return unsafe indexedPlace(of: registered, in: memory)
  }

  private func indexedPlace(of registered: Unmanaged<AnyEntry>, in memory: InstanceMemory) -> Int? {
    let identity = unsafe registered._withUnsafeGuaranteedRef { ObjectIdentifier($0) }
    guard let place = places?.own?[identity] else { return nil }
    return unsafe memory.slots[place].isFor(registered) ? place : memory.place(of: registered)
  }

  private func place(ofUnmade cell: AnyEntry) -> Int? {
    guard !keepsAll, !cell.isState, let registered = cell.registered, let memory else { return nil }
    let isIt = { place in unsafe memory.slots[place].cell === cell && !memory.slots[place].isKept }
    if let place = places?.own?[ObjectIdentifier(registered)], isIt(place) { return place }
    return (0..<memory.count).last(where: isIt)
  }

  /// The places of what is kept, the last one first.
  private func keptFromLast(in memory: InstanceMemory) -> some Sequence<Int> {
    sequence(state: last) { next in
      if next == InstanceSlot.nowhere { return nil }
      let place = Int(next)
      next = unsafe memory.slots[place].previous
      return place
    }
  }

  /// In order of construction.
  private var keptPlaces: [Int] { memory.map { keptFromLast(in: $0).reversed() } ?? [] }

  /// Adds a cell of a scope for what is registered, where there is none yet.
  mutating func add(_ cell: AnyEntry) { _ = append(InstanceSlot(cell)) }

  /// Keeps a cell whose instance has been made after all others, unless it has a place, or the state of a property.
  mutating func keep(_ cell: AnyEntry) {
    if places != nil, let memory, let place = takeReserved(cell) { return unsafe memory.slots[place].replace(by: cell) }
    keep(at: place(ofUnmade: cell) ?? append(InstanceSlot(cell)))
  }

  private mutating func keep(at place: Int) {
    guard let memory else { return }
    unsafe memory.slots[place].isKept = true
    unsafe memory.slots[place].previous = last
    last = Int32(truncatingIfNeeded: place)
    keptCount += 1
  }

  /// Keeps what another injector has kept before.
  mutating func keepFirst(_ cells: [AnyEntry]) {
    let later = takeKeptPlaces()
    for cell in cells { keep(at: append(InstanceSlot(cell))) }
    for place in later { keep(at: place) }
  }

  private mutating func takeKeptPlaces() -> [Int] {
    defer { (last, keptCount) = (InstanceSlot.nowhere, 0) }
    return keptPlaces
  }

  /// Keeps some no longer. A scope's own stay.
  ///
  /// - Returns: Them, in order of construction.
  mutating func giveUp(where isGone: (AnyEntry) -> Bool) -> [AnyEntry] {
    guard let memory else { return [] }
    var gone = [AnyEntry]()
    for place in takeKeptPlaces() {
      guard let cell = cell(at: place) else { continue }
      if !isGone(cell) {
        keep(at: place)
      } else {
        if takeReserved(cell) == nil { gone.append(cell) }
        release(place, in: memory)
      }
    }
    return gone
  }

  /// The place is kept no more.
  private mutating func release(_ place: Int, in memory: InstanceMemory) {
    unsafe memory.slots[place].isKept = false
    if unsafe !memory.slots[place].isOwn { vacate(place) }
  }

  /// Removes cells of a scope's own that have no instance.
  ///
  /// - Returns: Them, to be released outside of a lock.
  mutating func removeUnmade(where isGone: (AnyEntry) -> Bool) -> [AnyEntry] {
    guard !keepsAll, let memory else { return [] }
    var gone = [AnyEntry]()
    for place in 0..<memory.count where unsafe !memory.slots[place].isKept {
      guard let cell = cell(at: place), isGone(cell) else { continue }
      gone.append(cell)
      vacate(place)
    }
    return gone
  }

  /// Takes what has to be given up. A scope's own stay.
  mutating func takeKept() -> KeptInstances {
    if !keepsAll || places?.reserved.isEmpty == false { return KeptInstances(giveUp { _ in true }) }
    let kept = KeptInstances(owner.take(), last, at: depth)
    self = Self()
    return kept
  }

  /// - Returns: Where it is.
  private mutating func append(_ slot: consuming InstanceSlot) -> Int {
    let memory = memory ?? makeMemory()
    usedCount += 1
    marks |= slot.mark
    if vacant != InstanceSlot.nowhere {
      let place = Int(vacant)
      vacant = unsafe memory.slots[place].previous
      unsafe memory.slots[place] = slot
      index(place)
      return place
    }
    let place = memory.append(slot)
    if place >= InstanceMemory.usualCount { index(place) }
    return place
  }

  private mutating func makeMemory() -> InstanceMemory {
    let made = InstanceMemory.Owner.make()
    owner = made
    return InstanceMemory(of: made)
  }

  /// A slot has been filled. Few need no dictionary.
  private mutating func index(_ place: Int) {
    guard let memory, memory.count > InstanceMemory.usualCount else { return }
    let places = knownPlaces()
    let new = places.own == nil ? 0..<memory.count : place..<place + 1
    var known = places.own.take() ?? [:]
    for place in new where unsafe memory.slots[place].cell?.isReplaced != true {
      if let registered = unsafe memory.slots[place].registered { known[registered] = place }
    }
    places.own = known
  }

  private mutating func knownPlaces() -> InstancePlaces {
    let known = places ?? InstancePlaces()
    places = known
    return known
  }

  /// Gives a place up that is kept no more. Somebody else holds the cell.
  private mutating func vacate(_ place: Int) {
    guard let memory else { return }
    if let registered = unsafe memory.slots[place].registered, places?.own?[registered] == place {
      places?.own?[registered] = nil
    }
    unsafe memory.slots[place] = InstanceSlot(before: vacant)
    vacant = Int32(truncatingIfNeeded: place)
    usedCount -= 1
  }
}

/// The instances of a scope that have no cell.
extension InstanceCells {
  /// Where the instance is, if it has been made and there is no cell.
  func instance(at place: Int) -> UnsafeMutableRawPointer? { unsafe memory?.slots[place].instance }

  /// Begins to make an instance.
  mutating func begin(
    _ registered: Unmanaged<AnyEntry>, on thread: Unmanaged<ThreadContext>, number: UInt, at depth: Int32
  ) -> OwnPlace {
    self.depth = depth
    return unsafe OwnPlace(
      place: append(InstanceSlot(for: registered, madeBy: thread, number: number)), number: number)
  }

  /// Keeps an instance that has been made after all others.
  ///
  /// - Returns: Where it has to be put at once; `nil` if that which has been begun is not here any more.
  mutating func finish(
    _ own: OwnPlace, on thread: Unmanaged<ThreadContext>, size: Int, alignment: Int
  ) -> UnsafeMutableRawPointer? {
    guard let memory = unsafe memory(of: own, on: thread) else { return nil }
    let instance = unsafe memory.allocate(size, alignment: alignment)
    unsafe memory.slots[own.place].finish(instance)
    keep(at: own.place)
    return unsafe instance
  }

  /// Forgets what could not be made.
  ///
  /// - Returns: `false` if that which has been begun is not here any more.
  mutating func cancel(_ own: OwnPlace, on thread: Unmanaged<ThreadContext>) -> Bool {
    guard unsafe memory(of: own, on: thread) != nil else { return false }
    vacate(own.place)
    return true
  }

  /// Puts a cell in place of what has been begun, if that is still here.
  mutating func materialize(_ own: OwnPlace, on thread: Unmanaged<ThreadContext>) {
    if unsafe memory(of: own, on: thread) != nil { _ = cell(at: own.place) }
  }

  /// The memory, if it is still made there.
  private func memory(of own: OwnPlace, on thread: Unmanaged<ThreadContext>) -> InstanceMemory? {
    guard let memory, own.place < memory.count,
      unsafe memory.slots[own.place].isMade(by: thread, number: own.number)
    else { return nil }
    return memory
  }
}

/// The places of what is published later. Who is to be given up first is decided when it is made: others may get it
/// then, and be published sooner.
extension InstanceCells {
  /// Keeps a place for a cell whose instance has been made after all others, unless there is one for what is kept as
  /// the same.
  mutating func reserve(_ cell: AnyEntry) {
    if places?.reserved[cell.keptAs] != nil { return }
    keep(cell)
    knownPlaces().reserved[cell.keptAs] = Int(last)
  }

  /// Gives the place up of a cell whose instance is not published.
  ///
  /// - Complexity: Linear in how many have been kept since.
  mutating func withdraw(_ cell: AnyEntry) {
    guard let memory, let place = takeReserved(cell) else { return }
    let previous = unsafe memory.slots[place].previous
    if last == Int32(truncatingIfNeeded: place) {
      last = previous
    } else if let next = keptFromLast(in: memory).first(where: { unsafe Int(memory.slots[$0].previous) == place }) {
      unsafe memory.slots[next].previous = previous
    }
    keptCount -= 1
    release(place, in: memory)
  }

  /// - Returns: Where it has been, if it had a place before it was published.
  private func takeReserved(_ cell: AnyEntry) -> Int? {
    places?.reserved.removeValue(forKey: cell.keptAs)
  }
}
