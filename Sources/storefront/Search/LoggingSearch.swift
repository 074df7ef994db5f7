import Synchronization

/// A decorator that logs what another provider finds.
struct LoggingSearch: SearchProvider {
  let inner: any SearchProvider
  let log: SearchLog

  var name: String { inner.name }

  func find(_ word: String) -> [String] {
    let found = inner.find(word)
    log.add("\(name) finds \(found.count) for \"\(word)\"")
    return found
  }
}

/// The lines logged by search providers.
final class SearchLog: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func add(_ line: String) {
    state.withLock { $0.append(line) }
  }
}
