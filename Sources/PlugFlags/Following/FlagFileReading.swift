import Foundation

/// The last state of a file, and the document that it had.
struct FlagFileReading: Sendable {
  /// The news that a check of the file has for followers.
  enum News: Sendable {
    case document(FlagDocument)
    /// The reason why the file has no document; `nil` if it has its last document again.
    case problem(FlagDocumentError?)
  }

  private var status: FileStatus?
  private var document: FlagDocument?

  private var problem: FlagDocumentError?

  /// The bytes of a file that has changed so recently that another change may not alter its times.
  private var recent: Data?
  private(set) var hasLooked = false

  /// Checks the file, and reads it if it has changed.
  ///
  /// It runs on no actor, because reading takes a while.
  ///
  /// - Returns: The new state, and the news for followers.
  @concurrent
  func next(_ look: @Sendable (inout FlagFileReading) -> News?) async -> (FlagFileReading, News?) {
    var reading = self
    let news = look(&reading)
    return (reading, news)
  }

  mutating func look(at path: String, _ version: FractionalVersion) -> News? {
    // Take the status before reading: if the file changes meanwhile, the next check finds another status.
    let now = FileStatus(ofFile: path)
    if hasLooked, now == status, recent == nil { return nil }
    let isSame = hasLooked && now == status
    (hasLooked, status) = (true, now)
    let data: Data
    do throws(FlagDocumentError) { data = try FlagDocument.data(ofFile: path) } catch {
      recent = nil
      return news(.failure(error))
    }
    let known = recent
    recent = now?.isRecent == false ? nil : data
    if isSame, data == known { return nil }
    return news(Result { () throws(FlagDocumentError) in try FlagDocument(data, fractional: version) })
  }

  /// Stores a result, and returns the news for followers.
  private mutating func news(_ result: Result<FlagDocument, FlagDocumentError>) -> News? {
    switch result {
    case .success(let new):
      defer { problem = nil }
      if new == document { return problem.map { _ in .problem(nil) } }
      document = new
      return .document(new)
    case .failure(let new):
      if new == problem { return nil }
      problem = new
      return .problem(new)
    }
  }
}
