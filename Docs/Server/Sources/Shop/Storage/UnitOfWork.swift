package import GRDB
package import Logging
import Synchronization

/// The changes of one request, which are made together or not at all.
///
/// A unit of work collects changes, and makes them in one transaction on commit. SQLite has one writer at a time: a
/// transaction that stays open while its request waits would keep all other requests from writing.
package final class UnitOfWork: Sendable {
  package typealias Change = @Sendable (Database) throws -> Void

  /// The error that a change was added after the end of the request.
  struct Closed: Error {}

  private let database: DatabasePool
  private let logger: Logger

  /// The changes that are not committed; `nil` after the end of the request.
  private let changes = Mutex<[Change]?>([])

  package init(database: DatabasePool, logger: Logger) {
    self.database = database
    self.logger = logger
  }

  package func add(_ change: @escaping Change) throws {
    try changes.withLock { if $0?.append(change) == nil { throw Closed() } }
  }

  /// Makes all changes so far, and returns when they are on disk. If one change fails, none is made.
  package func commit() async throws {
    let changes = try changes.withLock { changes in
      guard let all = changes else { throw Closed() }
      changes = []
      return all
    }
    if changes.isEmpty { return }
    try await database.write { database in
      for change in changes { try change(database) }
    }
  }

  /// Ends the unit of work with its request, and discards the changes that are not committed.
  package func close() {
    let dropped = changes.withLock { $0.take() } ?? []
    if !dropped.isEmpty { logger.notice("rolled back", metadata: ["changes": "\(dropped.count)"]) }
  }
}
