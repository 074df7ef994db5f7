/// The cells of an injector: those with an instance to be given up, in order of construction, and behind them those of
/// a scope for what is registered as scoped, as long as they have none.
///
/// One array has both, because every request opens a scope. A scope finds its own by what is registered. Most of its
/// own have no cell, until somebody asks for one.
///
/// Soundness of the unchecked conformance: the memory belongs to this or to what is taken from this, whoever has that.
struct InstanceCells: @unchecked Sendable {
  private var slots = [InstanceSlot]()
  private var keptCount = 0

  /// Where the instances are that have no cell.
  private var memory = InstanceMemory()
  private var depth: Int32 = 0

  /// Where the scope's own are, if there are many: few are looked through.
  private var places: [ObjectIdentifier: Int]?

  private static var limit: Int { 8 }

  /// Those with an instance to be given up, and the states of properties, in order of construction.
  var kept: [AnyEntry] { mutating get { cells(0..<keptCount) } }

  func allKept(_ isTrue: (InstanceSlot) -> Bool) -> Bool { slots.prefix(keptCount).allSatisfy(isTrue) }

  var keepsNothing: Bool { keptCount == 0 }
  var keepsAll: Bool { keptCount == slots.count }

  /// Those of a scope for what is registered as scoped, in no order.
  var own: [AnyEntry] {
    mutating get {
      let all = cells(slots.indices)
      return zip(all, slots).filter { $1.isOwn }.map(\.0)
    }
  }

  subscript(registered: AnyEntry) -> AnyEntry? {
    mutating get { unsafe place(of: .passUnretained(registered)).flatMap { cell(at: $0) } }
  }

  mutating func cell(at place: Int) -> AnyEntry? { slots[place].materialize(memory, at: depth) }

  private mutating func cells(_ places: Range<Int>) -> [AnyEntry] {
    var cells = [AnyEntry]()
    for place in places { if let cell = cell(at: place) { cells.append(cell) } }
    return cells
  }

  /// One whose place another has taken may still be kept, until its instance has been given up.
  func place(of registered: Unmanaged<AnyEntry>) -> Int? {
    if let places {
      let identity = unsafe registered._withUnsafeGuaranteedRef { ObjectIdentifier($0) }
      guard let place = places[identity] else { return nil }
      if unsafe slots[place].isFor(registered) { return place }
    }
    for place in slots.indices where unsafe slots[place].isFor(registered) { return place }
    return nil
  }

  private func place(ofUnmade cell: AnyEntry) -> Int? {
    (keptCount..<slots.count).last { slots[$0].cell === cell }
  }

  /// Adds a cell of a scope for what is registered, where there is none yet.
  mutating func add(_ cell: AnyEntry) { append(InstanceSlot(cell)) }

  /// Keeps a cell whose instance has been made after all others, or the state of a property.
  mutating func keep(_ cell: AnyEntry) {
    let known = place(ofUnmade: cell)
    if known == nil { append(InstanceSlot(cell)) }
    keep(at: known ?? slots.count - 1)
  }

  private mutating func keep(at place: Int) {
    if place > keptCount {
      unsafe slots.withUnsafeMutableBufferPointer { unsafe $0.swapAt(place, keptCount) }
      if places != nil { for moved in [place, keptCount] { reindex(moved, from: place + keptCount - moved) } }
    }
    keptCount += 1
  }

  /// Keeps what another injector has kept before.
  mutating func keepFirst(_ cells: [AnyEntry]) { replace(kept: cells + kept, rest: rest) }

  /// Keeps some no longer. A scope's own stay.
  ///
  /// - Returns: Them, in order of construction.
  mutating func giveUp(where isGone: (AnyEntry) -> Bool) -> [AnyEntry] {
    let kept = kept
    let gone = kept.filter(isGone)
    if !gone.isEmpty {
      replace(kept: kept.filter { !isGone($0) }, rest: gone.filter { $0.registered != nil && !$0.isState } + rest)
    }
    return gone
  }

  /// Removes cells of a scope's own that have no instance.
  ///
  /// - Returns: Them, to be released outside of a lock.
  mutating func removeUnmade(where isGone: (AnyEntry) -> Bool) -> [AnyEntry] {
    if keepsAll { return [] }
    let rest = rest
    let gone = rest.filter(isGone)
    if gone.count == rest.count {
      slots.removeSubrange(keptCount...)
      if places != nil { index(from: 0) }
    } else if !gone.isEmpty {
      replace(kept: kept, rest: rest.filter { !isGone($0) })
    }
    return gone
  }

  /// Takes what has to be given up. A scope's own stay.
  mutating func takeKept() -> KeptInstances {
    if !keepsAll { return KeptInstances(giveUp { _ in true }) }
    defer { self = Self() }
    return KeptInstances(slots, memory, at: depth)
  }

  private var rest: [AnyEntry] { mutating get { cells(keptCount..<slots.count) } }

  private mutating func append(_ slot: InstanceSlot) {
    if slots.isEmpty { slots.reserveCapacity(Self.limit) }
    slots.append(slot)
    if slots.count > Self.limit { index(from: places == nil ? 0 : slots.count - 1) }
  }

  private mutating func replace(kept: [AnyEntry], rest: [AnyEntry]) {
    (slots, keptCount, places) = ((kept + rest).map { InstanceSlot($0) }, kept.count, nil)
    if slots.count > Self.limit { index(from: 0) }
  }

  private mutating func index(from first: Int) {
    var known = first == 0 ? [:] : places.take() ?? [:]
    for place in first..<slots.count where slots[place].cell?.isReplaced != true {
      guard let registered = slots[place].registered else { continue }
      if known[registered] == nil { known[registered] = place }
    }
    places = known
  }

  /// A slot has come from another place. One whose place another has taken is not in the dictionary.
  private mutating func reindex(_ place: Int, from earlier: Int) {
    guard let registered = slots[place].registered, places?[registered] == earlier else { return }
    places?[registered] = place
  }
}

/// The instances of a scope that have no cell.
extension InstanceCells {
  /// Where the instance is, if it has been made and there is no cell.
  func instance(at place: Int) -> UnsafeMutableRawPointer? { unsafe slots[place].instance }

  /// Begins to make an instance.
  ///
  /// - Parameter number: Tells this from whatever else the thread makes.
  mutating func begin(
    _ registered: Unmanaged<AnyEntry>, on thread: Unmanaged<ThreadContext>, number: UInt, at depth: Int32
  ) {
    self.depth = depth
    unsafe append(InstanceSlot(for: registered, madeBy: thread, number: number))
  }

  /// Keeps an instance that has been made after all others.
  ///
  /// - Returns: Where it has to be put at once; `nil` if that which has been begun is not here any more.
  mutating func finish(
    _ number: UInt, on thread: Unmanaged<ThreadContext>, size: Int, alignment: Int
  ) -> UnsafeMutableRawPointer? {
    guard let place = unsafe place(ofMaking: number, on: thread) else { return nil }
    let instance = unsafe memory.allocate(size, alignment: alignment)
    unsafe slots[place].finish(instance)
    keep(at: place)
    return unsafe instance
  }

  /// Forgets what could not be made.
  ///
  /// - Returns: `false` if that which has been begun is not here any more.
  mutating func cancel(on thread: Unmanaged<ThreadContext>, number: UInt) -> Bool {
    guard let place = unsafe place(ofMaking: number, on: thread) else { return false }
    slots.remove(at: place)
    if places != nil { index(from: 0) }
    return true
  }

  /// Puts a cell in place of what has been begun, if that is still here.
  mutating func materialize(_ number: UInt, on thread: Unmanaged<ThreadContext>) {
    if let place = unsafe place(ofMaking: number, on: thread) { _ = cell(at: place) }
  }

  private func place(ofMaking number: UInt, on thread: Unmanaged<ThreadContext>) -> Int? {
    (keptCount..<slots.count).last { unsafe slots[$0].isMade(by: thread, number: number) }
  }
}

/// What an injector has kept, in order of construction, for whoever gives it up.
///
/// Soundness of the unchecked conformance: as above.
struct KeptInstances: @unchecked Sendable {
  private(set) var slots: [InstanceSlot]
  private let memory: InstanceMemory
  private let depth: Int32

  init(_ slots: consuming [InstanceSlot], _ memory: InstanceMemory, at depth: Int32) {
    (self.slots, self.memory, self.depth) = (slots, memory, depth)
  }

  init(_ cells: consuming [AnyEntry]) {
    self.init(cells.map { InstanceSlot($0) }, InstanceMemory(), at: 0)
  }

  mutating func popLast() -> InstanceSlot? { slots.popLast() }

  /// Ends an instance that has no cell.
  func end(_ slot: InstanceSlot) { slot.end(memory) }

  /// The cell of a slot, which gets one if it has none.
  func cell(of slot: consuming InstanceSlot) -> AnyEntry? { slot.materialize(memory, at: depth) }

  /// All that are left, with cells.
  consuming func takeCells() -> [AnyEntry] { slots.compactMap { cell(of: $0) } }
}
