public import Foundation

/// A source of flag documents that an injector follows, and its state.
///
/// ```swift
/// for source in services.flagSources { print(source) }
/// // base.json: current
/// // shop.json: stale since 2026-11-28T10:15:00Z: No such file or directory
/// ```
public struct FlagSource: Sendable, Hashable {
  /// The state of a source.
  public enum State: Sendable, Hashable {
    /// The source has yielded no document yet. If the following began with a document, that document is current.
    case waiting

    /// The newest document of the source is current.
    case current

    /// The source no longer yields documents, or none that can be read. Its last document stays current.
    case stale(since: Date, reason: String)
  }

  /// The name: the path of a file, or a name that the program has chosen.
  public let name: String

  /// The state.
  public let state: State
}

extension FlagSource: CustomStringConvertible {
  /// The name and the state in one line.
  public var description: String {
    switch state {
    case .waiting: "\(name): waiting for a document"
    case .current: "\(name): current"
    case .stale(let date, let reason): "\(name): stale since \(date.ISO8601Format()): \(reason)"
    }
  }
}
