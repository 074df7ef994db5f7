import Synchronization

/// One attempt to load an instance, as the code sees it that makes the instance and all that this calls.
///
/// A task may call it after the instance has been made; then it does not count any more.
final class LoadContext: TaskWork {
  private static let lastNumber = Atomic<UInt>(0)

  /// The innermost load that the calling code belongs to.
  static var current: LoadContext? {
    guard let load = TaskGraph.inheritedWork?.load, !load.isOver else { return nil }
    return load
  }

  /// How many loads may lie one inside of the other: work that loads itself in ever new scopes must end.
  static let levelLimit = 1_000

  /// How many loads it lies in, itself included.
  let level: Int

  /// What others wait for who want the instance.
  let node: any TaskGraph.Node
  var names: [String] { [declaration.name] }
  private let declaration: Declaration

  /// Tells it from every other; 0 is none.
  let number: UInt

  /// How deep the injector lies that keeps the instance.
  private let keeper: Int32

  private struct Content {
    let cell: ResolutionStep
    /// Where it is recorded what is asked for, if it is.
    let record: RunRecord?
    /// The steps that led here from the parent.
    let way: [ResolutionStep]
    let parent: LoadContext?
  }

  /// Nothing when it is over: tasks may go on that have it.
  private let state: Guarded<Content?>

  private var content: Content? { state.withLock { $0 } }

  init(
    _ cell: ResolutionStep, _ node: any TaskGraph.Node, way: [ResolutionStep], in injector: Injector, record: RunRecord?
  ) {
    let parent = Self.current
    state = Guarded(Content(cell: cell, record: record, way: way, parent: parent))
    level = (parent?.level ?? 0) + 1
    self.node = node
    declaration = cell.declaration
    keeper = injector.depth
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
  }

  /// Runs what makes the instance.
  func run<Result>(_ make: () async -> Result) async -> Result {
    let isRecording = record != nil
    if isRecording { Instrumentation.shared.begin() }
    let result = await TaskGraph.run(self, make)
    if isRecording { Instrumentation.shared.end() }
    let ended = state.withLock { content in
      defer { content = nil }
      return content
    }
    withExtendedLifetime(ended) {}
    TaskGraph.shared.end(self)
    return result
  }

  var isOver: Bool { state.withLock { $0 == nil } }
  var load: LoadContext? { self }

  /// What is made here; `nil` when it is over.
  var cell: ResolutionStep? { content?.cell }

  /// The steps from the outermost to the one that is being made.
  var steps: [ResolutionStep] {
    var parts: [[ResolutionStep]] = []
    var context: LoadContext? = self
    while let content = context?.content {
      parts.append(content.way + [content.cell])
      context = content.parent
    }
    return Array(parts.reversed().joined())
  }

  /// Where it is recorded what is asked for, if someone wants to know.
  var record: RunRecord? { content?.record }

  /// The numbers of the loads that the calling code belongs to.
  var numbers: [UInt] { [number] + (content?.parent?.numbers ?? []) }

  /// The steps from the innermost load whose instance is kept less deep than at `limit`.
  ///
  /// - Parameter loads: Those in which the scope at that depth was opened; what was being made there may use it.
  func steps(fromKeeperAbove limit: Int32, since loads: [UInt]) -> [ResolutionStep]? {
    var context: LoadContext? = self
    while let current = context, !loads.contains(current.number), let content = current.content {
      if current.keeper < limit { return Array(steps.drop { $0 !== content.cell }) }
      context = content.parent
    }
    return nil
  }
}
