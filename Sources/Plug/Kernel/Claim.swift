/// Who makes the instance of a cell, and who waits for it. All transitions are here.
struct Claim {
  enum Stage {
    /// There is no instance, and nothing makes one.
    case idle
    /// The factory runs, on a thread or in a load.
    case making(by: UInt)
    /// The factory has returned. The instance waits for its configuration, or for the configuration of one of its
    /// dependencies.
    case constructed(AnyBox, by: UInt)
    /// The instance is published.
    case published
  }

  var stage = Stage.idle
  /// Whether the registration has gone or its injector is closed: an instance that is still made is closed at once.
  private var isGivenUp = false
  /// How many decorators are about to put another cell in the place of this one.
  private var reservations: UInt32 = 0
  /// Whether a decorated cell has taken its place. `retire` still decides who closes a given instance.
  private var isReplaced = false
  /// Whether nothing is made here any more.
  var isRetired: Bool { isGivenUp || isReplaced }
  var isReserved: Bool { reservations > 0 && !isRetired }
  var isGone: Bool { isReserved || isRetired }
  /// Counts what has been begun.
  private(set) var attempt: UInt32 = 0
  /// What few cells have.
  private var rare: Rare?

  private final class Rare {
    var waiters: [Waiter] = []
    var task: Task<Void, Never>?
    var inner: AnyBox?
    var weak: AnyWeakInstance?
  }

  init(maker: UInt, hasInstance: Bool) {
    if hasInstance { stage = .published }
    if maker != 0 { begin(by: maker) }
  }

  private var orMade: Rare {
    mutating get {
      if let rare { return rare }
      let new = Rare()
      rare = new
      return new
    }
  }

  var waiters: [Waiter] { rare?.waiters ?? [] }

  /// The task that loads the instance.
  var task: Task<Void, Never>? {
    get { rare?.task }
    set { if newValue != nil || rare != nil { orMade.task = newValue } }
  }

  /// The instance inside the decorators, which is the one to close.
  var inner: AnyBox? {
    get { rare?.inner }
    set { if newValue != nil || rare != nil { orMade.inner = newValue } }
  }

  /// What a weak singleton refers to.
  var weak: AnyWeakInstance? {
    get { rare?.weak }
    set { if newValue != nil || rare != nil { orMade.weak = newValue } }
  }

  mutating func enrol(_ waiter: Waiter) { orMade.waiters.append(waiter) }

  /// Enrols a waiter for the end of a decorator.
  ///
  /// - Returns: Whether there is one. It waits for nothing meanwhile, and runs no code of a user: no circle can close.
  mutating func enrolIfReserved(_ waiter: Waiter) -> Bool {
    if isReserved { enrol(waiter) }
    return isReserved
  }

  /// Removes waiters.
  ///
  /// - Returns: Whether none is left.
  mutating func strike(_ leaving: [Waiter]) -> Bool {
    rare?.waiters.removeAll { waiter in leaving.contains { $0 === waiter } }
    return waiters.isEmpty
  }

  var maker: UInt? {
    switch stage {
    case .making(let maker), .constructed(_, let maker): maker
    case .idle, .published: nil
    }
  }

  var constructed: AnyBox? { if case .constructed(let box, _) = stage { box } else { nil } }

  mutating func begin(by maker: UInt) {
    stage = .making(by: maker)
    attempt &+= 1
  }

  /// The factory has returned; the maker stays.
  mutating func construct(_ box: AnyBox) {
    if let maker { stage = .constructed(box, by: maker) }
  }

  /// Resumes the making of a constructed instance, to configure it again.
  mutating func resume() {
    if let maker { stage = .making(by: maker) }
  }

  /// Another maker takes over the constructed instance.
  mutating func transfer(from old: UInt, to new: UInt) {
    if case .constructed(let box, old) = stage { stage = .constructed(box, by: new) }
  }

  /// Ends the cell for one that decorates it.
  ///
  /// - Returns: Whether nothing has been made, nor is.
  mutating func beginDecorating() -> Bool {
    guard case .idle = stage, weak?.box == nil else { return false }
    reservations += 1
    return true
  }

  /// Takes that back, or ends it. Returns its waiters.
  mutating func endDecorating(_ isReplaced: Bool) -> [Waiter] {
    guard reservations > 0 else { return [] }
    (reservations, self.isReplaced) = (reservations - 1, self.isReplaced || isReplaced)
    return isReserved ? [] : end(isPublished: false)
  }

  /// The attempt is over. Returns its waiters.
  mutating func end(isPublished: Bool) -> [Waiter] {
    stage = isPublished ? .published : .idle
    guard let rare else { return [] }
    defer { (rare.waiters, rare.task) = ([], nil) }
    return rare.waiters
  }

  /// Nothing is kept here any more.
  ///
  /// - Parameter isHandedIn: Whether there is an instance from the beginning.
  /// - Returns: Whether there is an instance that the caller has to close.
  mutating func retire(isHandedIn: Bool) -> Bool {
    defer { isGivenUp = true }
    if case .published = stage { return !isGivenUp }
    return isHandedIn && !isGivenUp
  }
}
