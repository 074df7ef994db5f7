import Foundation
public import Plug
import PlugKeys

/// The sources that an injector follows, in the order in which they were begun.
///
/// The document in force is made of their documents. It is put into force by one thread at a time, without a lock: what
/// other threads bring meanwhile, that thread puts into force as well, so that an older document never replaces a newer
/// one.
final class FlagSources: CopiedAttachment, ReportedAttachment {
  /// What waits until a document is in force.
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
    /// What waits for the documents that are not in force yet; `nil` if all of them are.
    var waiting: [Waiting]?
    var isPublishing = false

    func place(of number: Int) -> Int? { sources.firstIndex { $0.number == number } }
  }

  private let state: Guarded<State>

  init() { state = Guarded(State()) }

  private init(_ sources: [Source]) {
    state = Guarded(State(sources: sources, lastNumber: sources.last?.number ?? 0))
  }

  /// The sources of an injector, which is not one of its scopes.
  static func of(_ injector: Injector) -> FlagSources {
    injector.updateAttachment(FlagSources.self) { $0 ?? FlagSources() } ?? FlagSources()
  }

  /// A copy has the documents, but follows nothing.
  func copy(for injector: Injector) -> FlagSources { FlagSources(state.withLock { $0.sources }) }

  var all: [FlagSource] { state.withLock { $0.sources.map { FlagSource(name: $0.name, state: $0.state) } } }

  var reportSection: (title: String, lines: [String]) { ("flag sources", all.map(\.description)) }

  /// Adds a source behind all others.
  ///
  /// - Returns: Its number.
  func begin(_ name: String?, _ documents: any Sendable) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      let name = name ?? (documents as? FlagFile)?.path ?? "source \(state.lastNumber)"
      state.sources.append(Source(number: state.lastNumber, name: name))
      return state.lastNumber
    }
  }

  /// Forgets a source, whose document stays in force until another one has a new document.
  func end(_ number: Int) {
    let ended = state.withLock { state in state.place(of: number).map { state.sources.remove(at: $0) } }
    withExtendedLifetime(ended) {}
  }

  /// Notes that a source is stale; or no longer, if there is no reason.
  func note(_ reason: String?, of number: Int) {
    let now = Date()
    state.withLock { state in
      guard let place = state.place(of: number) else { return }
      guard let reason else { return state.sources[place].state = .inForce }
      var since = now
      if case .stale(let first, _) = state.sources[place].state { since = first }
      state.sources[place].state = .stale(since: since, reason: reason)
    }
  }

  /// Puts a document of a source into force, together with those of the others.
  ///
  /// - Parameters:
  ///   - isFirst: Whether the program has it, and the source is still waited for.
  ///   - waiting: What waits for the document. It is told also by another thread.
  func put(
    _ document: FlagDocument, of number: Int, isFirst: Bool = false, in injector: Injector, _ waiting: Waiting? = nil
  ) {
    let isPublishing = state.withLock { state in
      // What has ended meanwhile brings nothing any more.
      guard let place = state.place(of: number) else { return true }
      state.sources[place].document = document
      if !isFirst { state.sources[place].state = .inForce }
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

  /// What has to be put into force; `nil` if nothing has, and the thread stops.
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
  /// If several have a flag with one key, the last of these flags counts. A scope that follows nothing has the sources
  /// of its parent.
  public var flagSources: [FlagSource] {
    (redirected() ?? self).levels.lazy.compactMap { $0.attachment(FlagSources.self)?.all }.first { !$0.isEmpty } ?? []
  }
}
