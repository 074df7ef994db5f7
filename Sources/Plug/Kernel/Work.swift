import Synchronization

/// A load or a closing, which is under way in tasks of its own, with the steps that led to it. Threads are work too,
/// but need only a number.
final class Work: Sendable {
  @TaskLocal private static var inherited: Work?
  private static let underWay = Atomic<Int>(0)
  private static let lastID = Atomic<UInt>(0)

  /// The number of steps beyond which a service that repeats shows that a chain of loads has no end.
  static let trailLimit = 1_000

  let id: UInt
  /// The numbers of this work and of the work that contains it.
  let ids: [UInt]
  /// The work that cannot continue while a part of this work waits. The list ends with work that has a cell, since
  /// other waiters wait for the cell.
  let stalled: [UInt]
  /// The steps to this work, including its own.
  let trail: [Step]
  let parent: Work?
  /// The depth of the injector that keeps the instance; the deepest for a closing.
  private let ownerDepth: Int32
  private let hasEnded = Atomic(false)

  init(_ id: UInt, trail: [Step], ownerDepth: Int32, hasCell: Bool = true) {
    let parent = Work.current
    self.id = id
    ids = [id] + (parent?.ids ?? [])
    stalled = [id] + (hasCell ? [] : parent?.stalled ?? [])
    self.parent = parent
    self.trail = trail
    self.ownerDepth = ownerDepth
    Self.underWay.add(1, ordering: .relaxed)
  }

  static func makeID() -> UInt { lastID.add(1, ordering: .relaxed).newValue }

  @inline(__always)
  static var areUnderWay: Bool { underWay.load(ordering: .relaxed) > 0 }

  /// The work that the calling task is part of, unless that has ended.
  @inline(__always) static var current: Work? {
    guard areUnderWay, let work = inherited, !work.hasEnded.load(ordering: .acquiring) else { return nil }
    return work
  }

  /// Runs a part of this work.
  func run<Result>(_ body: () async -> Result) async -> Result {
    await Self.$inherited.withValue(self, operation: body)
  }

  /// Runs code that belongs to no work.
  static func apart<Result>(_ body: () -> Result) -> Result {
    current == nil ? body() : $inherited.withValue(nil, operation: body)
  }

  func end() {
    if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { Self.underWay.subtract(1, ordering: .relaxed) }
  }

  /// The steps from the capturing instance on, if this work or one around it makes an instance that is kept further out
  /// than a scope, and so would outlive what it gets there. Work during which the scope was opened may use it.
  ///
  /// - Parameters:
  ///   - scope: `nil` for a missing scope.
  ///   - depth: The depth of the scope.
  func capture(of scope: Injector?, below depth: Int32) -> [Step]? {
    for work in sequence(first: self, next: \.parent) {
      if scope?.birth.loads.contains(work.id) == true { return nil }
      guard work.ownerDepth < depth else { continue }
      // A trail begins with the trail of the work around it, so this is the own step of `work`.
      return Array(trail[(work.trail.count - 1)...])
    }
    return nil
  }
}

/// One step of a path.
struct Step: Sendable {
  let registration: Registration
  /// An act other than making the instance: ` (closing)`.
  let act: String

  init(_ registration: Registration, act: String = "") {
    self.registration = registration
    self.act = act
  }
}

/// A thread or a task that is about to wait.
struct Asker {
  /// All work that cannot continue while it waits.
  let works: [UInt]
  /// The steps of its constructions, copied so that no other thread reads its stack.
  let trail: [Step]
  /// The cells of the instances that are made around its innermost configuration, which can be put aside until then.
  let outerCells: [ObjectIdentifier]
  /// Whether it can take an unfinished instance, because it later waits until that is finished.
  let canBorrow: Bool

  init(_ stack: ResolutionStack) {
    works = [stack.work] + (stack.own.load?.stalled ?? [])
    trail = stack.path
    let last = stack.own.frames.lastIndex { $0.isConfiguring } ?? 0
    outerCells = stack.own.frames[..<last].compactMap(\.cell)
    canBorrow = true
  }

  /// - Parameter way: The steps from the work to the awaited cell.
  init(_ work: Work?, _ way: [Step] = []) {
    works = work?.stalled ?? []
    trail = (work?.trail ?? []) + way
    (outerCells, canBorrow) = ([], false)
  }
}
