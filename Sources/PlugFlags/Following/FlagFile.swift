/// A file with a flag document that is read again whenever it changes, as an asynchronous sequence of documents.
///
/// ```swift
/// try services.register(.following(FlagFile("flags.json")))
/// try await services.start()
/// ```
///
/// It yields the document in the file when the iteration begins, or as soon as there is one, and then each new one.
/// (`Injector.follow(_:named:flagSet:beginningWith:onFailure:)` throws for a file without a document.)
/// A document that is equal to the previous one is not yielded. While the file cannot be read as a document, the
/// sequence reports the error once and yields nothing, so the last good document stays current.
///
/// The sequence polls the file: it checks which file the path leads to, through symbolic links, and its times and size.
/// So a new version can be written into the file, replace it by renaming, or appear behind a changed link, as in a
/// volume of a Kubernetes config map. A file that is read half written is reported, and read again when it is complete;
/// to avoid that, write another file and rename it.
///
/// The sequence ends when the task that iterates it is cancelled. Each iteration polls the file independently.
public struct FlagFile: FlagDocumentSequence {
  /// The elements are documents.
  public typealias Element = FlagDocument

  /// The path of the file.
  public let path: String

  /// The path.
  public var name: String { path }

  /// The time between two checks of the file.
  public let interval: Duration

  /// How `fractional` hashes.
  public let fractional: FractionalVersion

  let clock: any Clock<Duration>

  /// Checks the file. It is a closure, so that programs with the iterator that read no files do not contain it.
  let look: @Sendable (inout FlagFileReading) -> FlagFileReading.News?

  /// Receives the reason why the file has no document, and `nil` when it has one again.
  private var report: @Sendable (FlagDocumentError?) -> Void

  /// Creates a sequence. It does not read the file before it is iterated.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which need not exist yet.
  ///   - version: How `fractional` hashes.
  ///   - interval: The time between two checks of the file.
  ///   - clock: The clock that measures the interval.
  ///   - report: Receives the error if the file cannot be read as a document. Mistakes within a document are among its
  ///     ``FlagDocument/problems`` instead.
  public init(
    _ path: String, fractional version: FractionalVersion = .v2, every interval: Duration = .milliseconds(500),
    clock: any Clock<Duration> = ContinuousClock(),
    onProblem report: @escaping @Sendable (FlagDocumentError) -> Void = { _ in }
  ) {
    (self.path, fractional, self.interval, self.clock) = (path, version, interval, clock)
    look = { $0.look(at: path, version) }
    self.report = { problem in if let problem { report(problem) } }
  }

  /// Returns the sequence with a closure that receives each report before its own.
  public func reporting(_ other: @escaping @Sendable (FlagDocumentError?) -> Void) -> FlagFile {
    var file = self
    file.report = { [report] problem in
      other(problem)
      report(problem)
    }
    return file
  }

  /// Begins to poll the file.
  public func makeAsyncIterator() -> Iterator { Iterator(file: self) }

  /// An iteration over the documents of a file.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let file: FlagFile
    fileprivate var reading = FlagFileReading()

    /// Waits for the next document.
    ///
    /// - Returns: `nil` if the task has been cancelled.
    public mutating func next() async -> FlagDocument? {
      while !Task.isCancelled {
        if reading.hasLooked {
          do { try await file.clock.sleep(for: file.interval) } catch { return nil }
        }
        let news: FlagFileReading.News?
        (reading, news) = await reading.next(file.look)
        switch news {
        case .document(let document): return document
        case .problem(let problem): file.report(problem)
        case nil: break
        }
      }
      return nil
    }
  }
}
