import Synchronization

/// One place among what an injector keeps: a cell, or an instance of a scope that needs none. It may be vacant.
///
/// Such an instance is made by code that is specialized in the user's module, and nobody else wants it meanwhile.
/// Whoever needs more of it than the value puts a cell in its place, which goes on from there.
///
/// Soundness: the template of an instance is registered in a sealed injector around the scope, which keeps it until it
/// ends. The address of a value is that of an instance of this template in the memory of the scope, and the value goes
/// once: when it ends, or into a cell.
@safe
struct InstanceSlot: Sendable {
  /// The cell, if there is one.
  private(set) var cell: AnyEntry?

  /// What is registered, if this is for a scope's own instance of that.
  private let template: Unmanaged<AnyEntry>?

  /// The context of the thread that makes the instance; 0 if it has been made.
  private var maker: UInt = 0

  /// The address of the instance, or the number of the thread's making.
  private var content: UInt = 0

  /// Where the one is whose instance was made before, if this is kept; or where another vacant one is.
  var previous = nowhere

  /// Whether there is an instance to be given up.
  var isKept = false

  static var nowhere: Int32 { -1 }

  init(_ cell: AnyEntry) {
    unsafe template = cell.isState ? nil : cell.registered.map { unsafe .passUnretained($0) }
    self.cell = cell
  }

  /// A place for an instance that is being made.
  init(for template: Unmanaged<AnyEntry>, madeBy thread: Unmanaged<ThreadContext>, number: UInt) {
    unsafe self.template = unsafe template
    maker = unsafe UInt(bitPattern: thread.toOpaque())
    content = number
  }

  /// One that is vacant.
  init(before previous: Int32) {
    unsafe template = nil
    self.previous = previous
  }

  /// Whether it is for a scope's own instance.
  var isOwn: Bool { unsafe template != nil }

  /// What is registered, by identity.
  var registered: ObjectIdentifier? {
    unsafe template?._withUnsafeGuaranteedRef { ObjectIdentifier($0) }
  }

  /// One bit, which several share; none if this is not for a scope's own instance.
  var mark: UInt { unsafe template.map { unsafe Self.mark(of: $0) } ?? 0 }

  static func mark(of registered: Unmanaged<AnyEntry>) -> UInt {
    ServiceTable.mark(of: unsafe UInt(bitPattern: registered.toOpaque()))
  }

  @inline(__always)
  func isFor(_ registered: Unmanaged<AnyEntry>) -> Bool {
    unsafe template?.toOpaque() == registered.toOpaque() && cell?.isReplaced != true
  }

  /// Whether it is what a thread makes at the moment.
  func isMade(by thread: Unmanaged<ThreadContext>, number: UInt) -> Bool {
    unsafe maker == UInt(bitPattern: thread.toOpaque()) && content == number
  }

  /// Whether something is to be done when the injector gives the instance up.
  var isClosable: Bool { cell?.isClosable ?? false }

  /// Where the instance is, if it has been made and there is no cell.
  var instance: UnsafeMutableRawPointer? {
    maker == 0 && cell == nil ? unsafe UnsafeMutableRawPointer(bitPattern: content) : nil
  }

  /// It has been made.
  mutating func finish(_ instance: UnsafeMutableRawPointer) {
    maker = 0
    content = UInt(bitPattern: instance)
  }

  /// Puts a cell in its place, which has the instance, or is being made by the same thread; unless it is vacant.
  ///
  /// - Parameter depth: That of the scope.
  mutating func materialize(_ memory: InstanceMemory, at depth: Int32) {
    if cell != nil { return }
    cell = unsafe template?._withUnsafeGuaranteedRef { template in
      unsafe template.makeOwnCell(at: depth, with: instance, in: memory)
    }
    guard maker != 0, let cell else { return }
    cell.maker.store(maker, ordering: .releasing)
    Making.context(at: maker)?.makings.handOver(cell, inPlaceOf: content)
    maker = 0
  }

  /// Puts the cell here that has taken the place of another, which the caller keeps alive.
  mutating func replace(by other: AnyEntry) { cell = other }

  /// Takes the cell out.
  mutating func takeCell() -> AnyEntry? { cell.take() }

  /// Ends the instance.
  func end(_ memory: InstanceMemory) {
    guard let instance = unsafe instance else { return }
    unsafe template?._withUnsafeGuaranteedRef { unsafe $0.endInstance(at: instance, in: memory) }
  }
}
