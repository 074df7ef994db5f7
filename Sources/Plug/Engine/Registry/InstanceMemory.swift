/// The memory of what one injector keeps: its slots, and small instances that have no cell, in one allocation. More
/// slots than are usual move to an allocation of their own.
///
/// Soundness: `slots` points to `count` initialized slots until the owner ends, which has the contents. Memory that has
/// been given out for an instance is not given out again, and does not move. Whoever has this has the owner.
@safe
struct InstanceMemory {
  /// Two words, to which whatever is allocated is aligned.
  typealias Unit = (UInt, UInt)

  private let contents: UnsafeMutablePointer<Contents>

  @safe
  struct Contents {
    fileprivate var slots: UnsafeMutablePointer<InstanceSlot>
    fileprivate var capacity = usualCount
    fileprivate var count = 0

    /// Where instances are, and how many bytes have been given out.
    fileprivate let instances: UnsafeMutableRawPointer
    fileprivate var used = 0
  }

  /// What keeps the memory for as long as there is a reference.
  final class Owner: ManagedBuffer<Contents, Unit> {
    static func make() -> Owner {
      let made = create(minimumCapacity: (slotsSize + instancesSize) / unit + 1) { owner in
        let start = unsafe owner.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
        return unsafe Contents(
          slots: start.bindMemory(to: InstanceSlot.self, capacity: usualCount),
          instances: (start + slotsSize).alignedUp(toMultipleOf: unit))
      }
      return unsafe unsafeDowncast(made, to: Owner.self)
    }

    deinit { InstanceMemory(of: self).end() }
  }

  /// How many slots there are in it at first.
  static var usualCount: Int { 8 }

  private static var slotsSize: Int { usualCount * MemoryLayout<InstanceSlot>.stride }
  private static var instancesSize: Int { 384 }
  private static var unit: Int { MemoryLayout<Unit>.stride }

  init(of owner: Owner) {
    unsafe contents = unsafe owner.withUnsafeMutablePointerToHeader { unsafe $0 }
  }

  private func end() {
    unsafe slots.deinitialize(count: count)
    if unsafe contents.pointee.capacity > Self.usualCount { unsafe slots.deallocate() }
  }

  /// The slots; until the next one is added.
  var slots: UnsafeMutablePointer<InstanceSlot> { unsafe contents.pointee.slots }

  var count: Int { unsafe contents.pointee.count }

  /// Where the scope's own is of what is registered.
  func place(of registered: Unmanaged<AnyEntry>) -> Int? {
    for place in 0..<count where unsafe slots[place].isFor(registered) { return place }
    return nil
  }

  /// - Returns: Where it is.
  func append(_ slot: consuming InstanceSlot) -> Int {
    let place = count
    if unsafe place == contents.pointee.capacity { grow() }
    unsafe (slots + place).initialize(to: slot)
    unsafe contents.pointee.count = place + 1
    return place
  }

  /// Takes a slot out.
  func take(_ place: Int) -> InstanceSlot {
    let slot = unsafe (slots + place).move()
    unsafe (slots + place).initialize(to: InstanceSlot(before: InstanceSlot.nowhere))
    return slot
  }

  /// Forgets slots that are all vacant.
  func forgetVacant() { unsafe contents.pointee.count = 0 }

  private func grow() {
    let capacity = unsafe 2 * contents.pointee.capacity
    let larger = UnsafeMutablePointer<InstanceSlot>.allocate(capacity: capacity)
    unsafe larger.moveInitialize(from: slots, count: count)
    if capacity > 2 * Self.usualCount { unsafe slots.deallocate() }
    unsafe contents.pointee.slots = unsafe larger
    unsafe contents.pointee.capacity = capacity
  }

  /// Memory for one more instance.
  func allocate(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
    let start = unsafe contents.pointee.used
    let end = start + (max(size, 1) + Self.unit - 1) / Self.unit * Self.unit
    guard end <= Self.instancesSize, alignment <= Self.unit else {
      return unsafe Memory.allocate(size, alignment: alignment)
    }
    unsafe contents.pointee.used = end
    return unsafe contents.pointee.instances + start
  }

  /// Gives the memory of an instance back that has ended.
  func deallocate(_ place: UnsafeMutableRawPointer, alignment: Int) {
    let isHere = unsafe (0..<Self.instancesSize).contains(place - contents.pointee.instances)
    if !isHere { unsafe Memory.deallocate(place, alignment: alignment) }
  }
}
