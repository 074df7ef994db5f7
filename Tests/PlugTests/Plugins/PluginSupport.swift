import Plug

/// The service of the plugins under test, with distinguishable instances.
protocol Tool: AnyObject, Sendable {
  var name: String { get }
}

final class Instrument: Tool {
  let name: String

  init(_ name: String) { self.name = name }
}

extension Candidate where Service == any Tool, Context == Guest {
  /// A lazy singleton that records its id when it is made.
  static func tool(_ id: String, priority: Int = 0, in journal: Journal) -> Self {
    Candidate(id, priority: priority) {
      journal.note(id)
      return Instrument(id)
    }
  }
}

/// The reason why a tool cannot be made.
struct Broken: Error, CustomStringConvertible {
  var description: String { "it is broken" }
}
