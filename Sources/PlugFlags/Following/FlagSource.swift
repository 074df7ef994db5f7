public import Foundation

/// What an injector follows to get flag documents, and how that stands.
///
/// ```swift
/// for source in services.flagSources { print(source) }
/// // base.json: in force
/// // shop.json: stale since 2026-11-28T10:15:00Z: No such file or directory
/// ```
public struct FlagSource: Sendable, Hashable {
  /// How a source stands.
  public enum State: Sendable, Hashable {
    /// It has yielded no document yet. If the following began with a document, that is in force.
    case waiting

    /// Its newest document is in force.
    case inForce

    /// It yields no documents any more, or none that can be read. Its last document stays in force.
    case stale(since: Date, reason: String)
  }

  /// What it is called: the path of a file, or what the program calls it.
  public let name: String

  /// How it stands.
  public let state: State
}

extension FlagSource: CustomStringConvertible {
  /// The name and the state in one line.
  public var description: String {
    switch state {
    case .waiting: "\(name): waiting for a document"
    case .inForce: "\(name): in force"
    case .stale(let date, let reason): "\(name): stale since \(date.ISO8601Format()): \(reason)"
    }
  }
}
