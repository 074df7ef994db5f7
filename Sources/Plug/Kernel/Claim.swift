/// The maker of a cell's instance and the waiters for it, with all transitions.
struct Claim {
  enum Stage {
    /// There is no instance, and nothing makes one.
    case idle
    /// The factory runs, on a thread or in a load.
    case making(by: UInt)
    /// The factory has returned. The instance waits for its configuration, or for the configuration of one of its
    /// dependencies.
    case constructed(AnyBox, by: UInt, isConfigured: Bool)
    /// The instance is published.
    case published
  }

  var stage = Stage.idle
  /// Whether the cell makes no more instances, because it is unregistered or decorated, or its injector is closed. An
  /// instance that is still being made is then closed.
  var isRetired = false
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

  var waiters: [Waiter] { rare?.waiters ?? [] }

  /// Returns the task of a load that is no longer needed, and waiters to be released outside of the lock.
  ///
  /// All calls together look at each waiter once.
  mutating func abandoned() -> (task: Task<Void, Never>?, gone: [Waiter]) {
    guard let rare else { return (nil, []) }
    while rare.told < rare.waiters.count, rare.waiters[rare.told].isTold { rare.told += 1 }
    let task = isRetired || rare.told == rare.waiters.count ? rare.task : nil
    if rare.told * 2 <= rare.waiters.count { return (task, []) }
    let gone = Array(rare.waiters[..<rare.told])
    (rare.waiters, rare.told) = (Array(rare.waiters[rare.told...]), 0)
    return (task, gone)
  }

  var maker: UInt? {
    switch stage {
    case .making(let maker), .constructed(_, let maker, _): maker
    case .idle, .published: nil
    }
  }

  var constructed: AnyBox? { if case .constructed(let box, _, _) = stage { box } else { nil } }

  mutating func begin(by maker: UInt) {
    stage = .making(by: maker)
    attempt &+= 1
  }

  /// The factory has returned; the maker stays.
  mutating func construct(_ box: AnyBox, isConfigured: Bool = false) {
    if let maker { stage = .constructed(box, by: maker, isConfigured: isConfigured) }
  }

  /// Resumes making a constructed instance, to configure it again.
  mutating func resume() {
    if let maker { stage = .making(by: maker) }
  }

  /// Another maker takes over the constructed instance.
  mutating func transfer(from old: UInt, to new: UInt) {
    if case .constructed(let box, old, let isConfigured) = stage {
      stage = .constructed(box, by: new, isConfigured: isConfigured)
    }
  }

  /// Ends the attempt. Returns its waiters.
  mutating func end(isPublished: Bool) -> [Waiter] {
    stage = isPublished ? .published : .idle
    guard let rare else { return [] }
    defer { (rare.waiters, rare.told, rare.task) = ([], 0, nil) }
    return rare.waiters
  }

  /// Retires the cell, which keeps no instance from now on.
  ///
  /// - Parameter isHandedIn: Whether the registration was given an instance.
  /// - Returns: Whether there is an instance that the caller has to close.
  mutating func retire(isHandedIn: Bool) -> Bool {
    defer { isRetired = true }
    if case .published = stage { return !isRetired }
    return isHandedIn && !isRetired
  }
}
