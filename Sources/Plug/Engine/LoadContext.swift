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
    guard count.load(ordering: .relaxed) != 0, let inherited, inherited.content != nil else { return nil }
    return inherited
  }

  /// Tells it from every other; 0 is none.
  let number: UInt

  /// How deep the injector lies that keeps the instance.
  private let keeper: Int32

  /// Whether it is recorded what is asked for.
  private let isRecording: Bool

  private struct Content {
    let cell: AnyEntry
    let loading: Loading
    /// The steps that led here from the parent.
    let way: [Step]
    let parent: LoadContext?
  }

  /// Nothing when it is over: tasks may go on that have it.
  private let state: Guarded<Content?>

  private var content: Content? { state.withLock { $0 } }

  init(_ cell: AnyEntry, _ loading: Loading, way: [Step], in injector: Injector, isRecording: Bool) {
    state = Guarded(Content(cell: cell, loading: loading, way: way, parent: Self.current))
    self.isRecording = isRecording
    keeper = injector.depth
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
  }

  /// Runs what makes the instance.
  func run<Result>(_ make: () async -> Result) async -> Result {
    Self.count.add(1, ordering: .relaxed)
    if isRecording { Attention.shared.begin() }
    let result = await Self.$inherited.withValue(self, operation: make)
    if isRecording { Attention.shared.end() }
    Self.count.subtract(1, ordering: .relaxed)
    let ended = state.withLock { content in
      defer { content = nil }
      return content
    }
    withExtendedLifetime(ended) {}
    return result
  }

  /// What is made here, and how; `nil` when it is over.
  var load: (cell: AnyEntry, loading: Loading)? { content.map { ($0.cell, $0.loading) } }

  /// The loads that the calling code belongs to, the innermost first.
  var loadings: [Loading] {
    guard let content else { return [] }
    return [content.loading] + (content.parent?.loadings ?? [])
  }

  /// The steps from the outermost to the one that is being made.
  var steps: [Step] {
    guard let content else { return [] }
    return (content.parent?.steps ?? []) + content.way + [content.cell]
  }

  func note(_ dependency: Dependency) {
    if isRecording { content?.cell.note(dependency) }
  }

  /// The steps from the innermost load whose instance is kept less deep than at `limit`.
  ///
  /// - Parameter birth: The load in which the scope at that depth was opened; what was being made there may use it.
  func steps(fromKeeperAbove limit: Int32, since birth: UInt) -> [Step]? {
    var context: LoadContext? = self
    while let current = context, current.number != birth, let content = current.content {
      if current.keeper < limit { return Array(steps.drop { $0 !== content.cell }) }
      context = content.parent
    }
    return nil
  }
}
