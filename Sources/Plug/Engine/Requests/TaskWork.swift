/// Work under way in a task, for which others may wait: an attempt to load an instance, or the closing of some.
///
/// Tasks may go on that have inherited it; when it is over, it does not count any more.
protocol TaskWork: AnyObject, Sendable {
  /// What others wait for.
  var node: any TaskGraph.Node { get }

  /// What it is called in a path: that for which others wait, and the part that the calling code belongs to.
  var names: [String] { get }

  /// The load that it is, or that it belongs to.
  var load: LoadContext? { get }

  var isOver: Bool { get }
}

/// Tells one injector whose instances are closed from others.
final class ClosingIdentity: Sendable {}

extension TaskGraph {
  private static let inherited = Inherited<any TaskWork>()

  /// The innermost work that the calling code has inherited, whether or not it is over.
  static var inheritedWork: (any TaskWork)? { inherited.value }

  /// The work that the calling code belongs to.
  static var work: (any TaskWork)? {
    guard let work = inheritedWork, !work.isOver else { return nil }
    return work
  }

  /// Runs what a work does.
  static func run<Result>(_ work: any TaskWork, _ operation: () async -> Result) async -> Result {
    await inherited.withValue(work, operation: operation)
  }
}
