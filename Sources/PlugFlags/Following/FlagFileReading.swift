import Foundation

/// The last state of a file, and the document that it had.
struct FlagFileReading: Sendable {
  /// What a look at the file has brought.
  enum News: Sendable {
    case document(FlagDocument)
    case problem(FlagDocumentError)
    /// The document that the file had before it had a problem.
    case recovery
  }

  private var status: FileStatus?
  private var document: FlagDocument?

  /// The text that was read while the file was so new that another change need not show in its times.
  private var recent: Data?
  private var problem: FlagDocumentError?
  private var hasLooked = false

  /// Looks at the file, and reads it if it has changed.
  ///
  /// It runs on no actor, because reading takes a while.
  ///
  /// - Returns: The new state, and the news for followers.
  @concurrent
  func next(at path: String, _ version: FractionalVersion) async -> (FlagFileReading, News?) {
    var reading = self
    let news = reading.look(at: path, version)
    return (reading, news)
  }

  private mutating func look(at path: String, _ version: FractionalVersion) -> News? {
    // The status is that before reading. If the file changes meanwhile, the next look finds another.
    let now = FileStatus(ofFile: path)
    if hasLooked, now == status, recent == nil { return nil }
    let isSame = hasLooked && now == status
    (hasLooked, status) = (true, now)
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      recent = nil
      return news(.failure(FlagDocumentError(path: path, error)))
    }
    let known = recent
    recent = now?.isRecent == false ? nil : data
    if isSame, data == known { return nil }
    return news(Result { () throws(FlagDocumentError) in try FlagDocument(data, fractional: version) })
  }

  /// Notes a result, and returns the news that it brings.
  private mutating func news(_ result: Result<FlagDocument, FlagDocumentError>) -> News? {
    switch result {
    case .success(let new):
      defer { problem = nil }
      if new == document { return problem.map { _ in .recovery } }
      document = new
      return .document(new)
    case .failure(let new):
      if new == problem { return nil }
      problem = new
      return .problem(new)
    }
  }
}
