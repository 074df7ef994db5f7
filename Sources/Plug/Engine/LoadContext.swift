import Synchronization

/// The load of one instance, as the code sees it that makes the instance and all that this calls.
///
/// A task may call it after the instance has been made; then it does not count any more.
final class LoadContext: Sendable {
  @TaskLocal private static var inherited: LoadContext?

  /// How many are under way: while none is, nobody reads the task-local value.
  private static let count = Atomic(0)
  private static let lastNumber = Atomic<UInt>(0)

  /// The innermost load that the calling code belongs to.
  static var current: LoadContext? {
    guard count.load(ordering: .relaxed) != 0, let inherited, !inherited.isOver.load(ordering: .relaxed) else {
      return nil
    }
    return inherited
  }

  /// Tells it from every other; 0 is none.
  let number: UInt

  let cell: AnyEntry
  let loading: Loading

  private let parent: LoadContext?

  /// The steps that led here from the parent.
  private let way: [Step]

  /// How deep the injector lies that keeps the instance.
  private let keeper: Int32

  /// Whether it is recorded what is asked for.
  private let isRecording: Bool
  private let isOver = Atomic(false)

  init(_ cell: AnyEntry, _ loading: Loading, way: [Step], in injector: Injector, isRecording: Bool) {
    (self.cell, self.loading, self.way, self.isRecording) = (cell, loading, way, isRecording)
    parent = Self.current
    keeper = injector.depth
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
  }

  /// Runs what makes the instance.
  func run<Result>(_ make: () async throws -> Result) async rethrows -> Result {
    Self.count.add(1, ordering: .relaxed)
    if isRecording { Attention.shared.begin() }
    defer {
      isOver.store(true, ordering: .relaxed)
      if isRecording { Attention.shared.end() }
      Self.count.subtract(1, ordering: .relaxed)
    }
    return try await Self.$inherited.withValue(self, operation: make)
  }

  /// The steps from the outermost to the one that is being made.
  var steps: [Step] { (parent?.steps ?? []) + way + [cell] }

  func note(_ dependency: Dependency) {
    if isRecording { cell.note(dependency) }
  }

  /// The steps from the innermost load whose instance is kept less deep than at `limit`.
  ///
  /// - Parameter birth: The load in which the scope at that depth was opened; what was being made there may use it.
  func steps(fromKeeperAbove limit: Int32, since birth: UInt) -> [Step]? {
    var context: LoadContext? = self
    while let current = context, current.number != birth {
      if current.keeper < limit { return Array(steps.drop { $0 !== current.cell }) }
      context = current.parent
    }
    return nil
  }
}
