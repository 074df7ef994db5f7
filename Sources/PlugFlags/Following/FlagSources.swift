import Foundation
public import Plug
import PlugKeys

/// The sources that an injector follows, in the order in which the following began.
///
/// The current document is merged from their documents. One thread at a time makes it current, without a lock, and
/// goes on with the documents that other threads add meanwhile. So an older document never replaces a newer one.
final class FlagSources: Attachment {
  /// A caller that waits until a document is current.
  typealias Waiting = AsyncThrowingStream<Void, any Error>.Continuation

  private struct Source {
    let number: Int
    let name: String
    var document: FlagDocument?
    var state = FlagSource.State.waiting
  }

  private struct State {
    var sources: [Source] = []
    var lastNumber = 0
    /// The callers that wait for documents that are not current yet; `nil` if all documents are current.
    var waiting: [Waiting]?
    var isPublishing = false

    func place(of number: Int) -> Int? { sources.firstIndex { $0.number == number } }
  }

  private let state: Guarded<State>

  init() { state = Guarded(State()) }

  private init(_ sources: [Source]) {
    state = Guarded(State(sources: sources, lastNumber: sources.last?.number ?? 0))
  }

  /// Returns the injector's own sources, which it creates if there are none. A scope does not share its parent's.
  static func of(_ injector: Injector) -> FlagSources {
    injector.updateAttachment(FlagSources.self) { $0 ?? FlagSources() } ?? FlagSources()
  }

  /// A copy has the documents, but follows nothing.
  func copy(for injector: Injector) -> FlagSources? { FlagSources(state.withLock { $0.sources }) }

  var all: [FlagSource] { state.withLock { $0.sources.map { FlagSource(name: $0.name, state: $0.state) } } }

  var reportSection: (title: String, lines: [String]) { ("flag sources", all.map(\.description)) }

  /// Adds a source after all others.
  ///
  /// - Returns: The number of the source.
  func begin(_ name: String?, _ documents: any Sendable) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      let name = name ?? (documents as? any FlagDocumentSequence)?.name ?? "source \(state.lastNumber)"
      state.sources.append(Source(number: state.lastNumber, name: name))
      return state.lastNumber
    }
  }

  /// Removes a source. Its document stays current until another source has a new document.
  func end(_ number: Int) {
    let ended = state.withLock { state in state.place(of: number).map { state.sources.remove(at: $0) } }
    withExtendedLifetime(ended) {}
  }

  /// Marks a source as stale, or as current if there is no reason.
  func note(_ reason: String?, of number: Int) {
    let now = Date()
    state.withLock { state in
      guard let place = state.place(of: number) else { return }
      guard let reason else { return state.sources[place].state = .current }
      var since = now
      if case .stale(let first, _) = state.sources[place].state { since = first }
      state.sources[place].state = .stale(since: since, reason: reason)
    }
  }

  /// Makes a document of a source current, merged with the documents of the other sources.
  ///
  /// - Parameters:
  ///   - isFirst: Whether the program provides the document until the source yields one.
  ///   - waiting: The caller that waits for the document. Another thread may resume it.
  func put(
    _ document: FlagDocument, of number: Int, isFirst: Bool = false, in injector: Injector, _ waiting: Waiting? = nil
  ) {
    let isPublishing = state.withLock { state in
      // A source that has ended meanwhile is ignored.
      guard let place = state.place(of: number) else { return true }
      state.sources[place].document = document
      if !isFirst { state.sources[place].state = .current }
      state.waiting = (state.waiting ?? []) + (waiting.map { [$0] } ?? [])
      defer { state.isPublishing = true }
      return state.isPublishing
    }
    if isPublishing { return }
    while let (origins, waiting) = takeNews() {
      let result = Result { try injector.set(Flags.self, to: FlagDocument(merging: origins)) }
      for one in waiting {
        if case .failure(let error) = result { one.finish(throwing: error) } else { one.finish() }
      }
    }
  }

  /// Returns the documents to make current, and the callers that wait; `nil` if nothing is new, and the thread stops.
  private func takeNews() -> (origins: [FlagOrigin], waiting: [Waiting])? {
    state.withLock { state in
      guard let waiting = state.waiting else {
        state.isPublishing = false
        return nil
      }
      state.waiting = nil
      let origins = state.sources.compactMap { source in
        source.document.map { (source.name, $0) as FlagOrigin }
      }
      return (origins, waiting)
    }
  }
}

extension Injector {
  /// The sources that `follow(_:named:flagSet:beginningWith:onFailure:)` follows here, in the order of the calls.
  ///
  /// If several have a flag with the same key, the last valid one of these flags is used. A scope that follows nothing
  /// has the sources of its parent.
  public var flagSources: [FlagSource] {
    active.levels.lazy.compactMap { $0.attachment(FlagSources.self)?.all }.first { !$0.isEmpty } ?? []
  }
}
