/// A file with a flag document that is read again whenever it changes, as an asynchronous sequence of documents.
///
/// ```swift
/// try services.register(injectable: .following(FlagFile("flags.json")))
/// try await services.start()
/// ```
///
/// It yields the document that the file has when the iteration begins, or as soon as it has one, and then each new one.
/// (`Injector.follow(_:named:flagSet:beginningWith:onFailure:)` throws for a file without a document.)
/// A document that is equal to the one before is not yielded. While the file cannot be read as a document, the sequence
/// reports that once, yields nothing, and so leaves the last good document in force.
///
/// The file is looked at in intervals: at what the path leads to, through symbolic links, its times and its size. So it
/// does not matter whether a new version is written into the file, takes its place by renaming, or is put there by a
/// link that leads elsewhere, as in a volume of a Kubernetes config map. A text that is half written when it is read is
/// reported, and read again when it is whole; write another file and rename it, and nobody ever sees half a text.
///
/// The sequence ends when the task that iterates it is cancelled. Each iteration looks at the file by itself.
public struct FlagFile: AsyncSequence, Sendable {
  /// The elements are documents.
  public typealias Element = FlagDocument

  /// The path of the file.
  public let path: String

  /// The time between two looks at the file.
  public let interval: Duration

  /// How `fractional` hashes.
  public let fractional: FractionalVersion

  let clock: any Clock<Duration>

  /// Looks at the file. As a closure, it is left out of programs that read no files, which have the iterator.
  let look: @Sendable (inout FlagFileReading) -> FlagFileReading.News?

  /// Receives the reason why the file has no document, and `nil` when it has one again.
  private var report: @Sendable (FlagDocumentError?) -> Void

  /// Creates a sequence. Nothing is read before it is iterated.
  ///
  /// - Parameters:
  ///   - path: The path of the file. It need not exist yet.
  ///   - version: How `fractional` hashes.
  ///   - interval: The time between two looks at the file.
  ///   - clock: The clock that measures the interval.
  ///   - report: Receives the reason if the file cannot be read as a document any more. Mistakes within a document are
  ///     among its ``FlagDocument/problems`` instead.
  public init(
    _ path: String, fractional version: FractionalVersion = .v2, every interval: Duration = .milliseconds(500),
    clock: any Clock<Duration> = ContinuousClock(),
    onProblem report: @escaping @Sendable (FlagDocumentError) -> Void = { _ in }
  ) {
    (self.path, fractional, self.interval, self.clock) = (path, version, interval, clock)
    look = { $0.look(at: path, version) }
    self.report = { problem in if let problem { report(problem) } }
  }

  /// The sequence that reports to another closure before its own.
  func reporting(_ other: @escaping @Sendable (FlagDocumentError?) -> Void) -> FlagFile {
    var file = self
    file.report = { [report] problem in
      other(problem)
      report(problem)
    }
    return file
  }

  /// Begins to look at the file.
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
