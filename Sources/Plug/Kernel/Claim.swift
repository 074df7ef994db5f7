/// The life of a cell's instance. Each event is one function, which returns what its caller has to do after the lock.
struct Claim {
  enum Stage {
    /// There is no instance, and nothing makes one.
    case idle
    /// The instance is being made, on a thread or in a load.
    case making(Making)
    /// Requests find the instance.
    case published
    /// No instance is made any more, because the cell is unregistered, reset or decorated, or its injector is closed.
    /// One that was being made then is closed when it is finished.
    case retired(Making?)
  }

  /// An instance that is being made.
  struct Making {
    var maker: UInt
    /// The instance, once the factory has returned. It waits for its configuration, or for the configuration of one of
    /// its dependencies.
    var box: AnyBox?
    var isConfigured = false
  }

  private(set) var stage = Stage.idle
  /// The number of attempts that have begun.
  private(set) var attempt: UInt32 = 0
  /// Parts that few claims have.
  var rare: Rare?

  final class Rare: OnDemand {
    var waiters: [Waiter] = []
    /// The number of waiters at the front of the list that have their outcome.
    var told = 0
    /// The task that loads the instance.
    var task: Task<Void, Never>?
    /// The instance inside the decorators, which is the one to close.
    var inner: AnyBox?
    /// The weak reference of a weak singleton.
    var weak: WeakInstance?
  }

  init(maker: UInt, hasInstance: Bool) {
    if hasInstance { stage = .published }
    if maker != 0 { begin(by: maker) }
  }

  /// The instance that is being made.
  var making: Making? {
    get {
      switch stage {
      case .making(let making), .retired(let making?): making
      case .idle, .published, .retired(nil): nil
      }
    }
    set {
      switch (stage, newValue) {
      case (.making, let making?): stage = .making(making)
      case (.making, nil): stage = .idle
      case (.retired, _): stage = .retired(newValue)
      case (.idle, _), (.published, _): break
      }
    }
  }

  var maker: UInt? { making?.maker }
  var isRetired: Bool { if case .retired = stage { true } else { false } }
  var waiters: [Waiter] { rare?.waiters ?? [] }

  /// Removes waiters that have their outcome, once they are more than half of the list, so that all calls together look
  /// at each waiter once.
  ///
  /// - Returns: The task of a load that nothing needs, because each waiter has its outcome, or because the cell is
  ///   retired and would not keep the instance; and the removed waiters, to be released outside of the lock.
  mutating func abandoned() -> (task: Task<Void, Never>?, gone: [Waiter]) {
    guard let rare else { return (nil, []) }
    while rare.told < rare.waiters.count, rare.waiters[rare.told].isTold { rare.told += 1 }
    let task = isRetired || rare.told == rare.waiters.count ? rare.task : nil
    if rare.told * 2 <= rare.waiters.count { return (task, []) }
    let gone = Array(rare.waiters[..<rare.told])
    (rare.waiters, rare.told) = (Array(rare.waiters[rare.told...]), 0)
    return (task, gone)
  }

  mutating func begin(by maker: UInt) {
    stage = .making(Making(maker: maker))
    attempt &+= 1
  }

  /// The factory, or the configuration, has returned; the maker stays. Without an instance, it is made again.
  mutating func construct(_ box: AnyBox?, isConfigured: Bool = false) {
    if let making { self.making = Making(maker: making.maker, box: box, isConfigured: isConfigured) }
  }

  /// Another maker takes over the constructed instance.
  mutating func transfer(from old: UInt, to new: UInt) {
    if let making, making.box != nil, making.maker == old { self.making?.maker = new }
  }

  /// Takes over an instance that another cell keeps, unless the cell has been claimed.
  mutating func adopt() -> Bool {
    guard case .idle = stage else { return false }
    stage = .published
    return true
  }

  /// What has to be done after an attempt.
  struct End {
    var waiters: [Waiter] = []
    /// Whether the cell was retired meanwhile, so that the maker closes the instance.
    var isRetired = false
    /// The instance inside the decorators.
    var inner: AnyBox?
    /// Released outside of the lock, since a `deinit` may run then.
    var box: AnyBox?
    var weak: WeakInstance?
  }

  /// An attempt has ended without an instance. It does nothing if that attempt is over.
  ///
  /// - Parameter isLast: Whether the cell makes no other attempt.
  mutating func fail(by maker: UInt, isLast: Bool) -> End {
    guard let making, making.maker == maker else { return End() }
    let end = End(waiters: takeWaiters(), inner: rare?.inner, box: making.box)
    rare?.inner = nil
    self.making = nil
    if isLast { stage = .retired(nil) }
    return end
  }

  /// An attempt has ended with an instance, which is published unless the cell was retired meanwhile.
  ///
  /// - Parameters:
  ///   - isWeak: Whether requests find the instance by a weak reference, and claim the cell again when it is gone.
  ///   - weak: That reference; `nil` if there is no instance.
  @inline(__always)
  mutating func finish(_ box: AnyBox, in published: borrowing Published, isWeak: Bool, _ weak: WeakInstance?) -> End {
    let end = End(
      waiters: takeWaiters(), isRetired: isRetired, inner: rare?.inner, box: making?.box, weak: rare?.weak)
    if isWeak { rare.orMade.weak = weak }
    switch stage {
    case .retired: stage = .retired(nil)
    case .idle, .making, .published:
      if !isWeak { published.publish(box) }
      stage = isWeak ? .idle : .published
    }
    return end
  }

  @inline(__always)
  private mutating func takeWaiters() -> [Waiter] {
    guard let rare else { return [] }
    defer { (rare.waiters, rare.told, rare.task) = ([], 0, nil) }
    return rare.waiters
  }

  /// Retires the cell.
  ///
  /// - Parameter isHandedIn: Whether the registration was given an instance.
  /// - Returns: Whether there is an instance that the caller has to close.
  mutating func retire(isHandedIn: Bool) -> Bool {
    if isRetired { return false }
    let hasInstance = if case .published = stage { true } else { isHandedIn }
    stage = .retired(making)
    return hasInstance
  }

  /// Takes the retirement of a cell back whose instance has not been begun.
  mutating func restore(hasInstance: Bool) { stage = hasInstance ? .published : .idle }
}
