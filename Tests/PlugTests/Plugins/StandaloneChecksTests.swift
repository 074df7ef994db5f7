import Plug
import PlugOperations
import TestSupport
import Testing

@globalActor private actor StorageActor {
  static let shared = StorageActor()
}

private final class Part: Sendable {}

private struct Value: Sendable {}

@Suite("A standalone point")
struct StandaloneChecksTests {
  private let file = #fileID

  private func point<Service>(_ injection: Injection<Service>, line: Int) -> PluginPoint<Service, Int> {
    PluginPoint("parts") {
      Candidate("part", injection, fileID: file, line: line)
    }
  }

  private func failure<Value>(_ body: () throws(InjectorError) -> Value) -> String {
    do throws(InjectorError) {
      _ = try body()
      return "none"
    } catch {
      return "\(error)"
    }
  }

  /// All requests of a point that can throw.
  private func failures<Service>(_ point: PluginPoint<Service, Int>) -> Set<String> {
    let outer = PluginPoint("outer") { point }
    var failures: Set<String> = []
    failures.insert(failure { () throws(InjectorError) in try point.get(in: 0) })
    failures.insert(failure { () throws(InjectorError) in try point.getAll(in: 0) })
    let nested = failure { () throws(InjectorError) in try outer.get(in: 0) }
    failures.insert(nested.replacing("outer", with: "parts"))
    return failures
  }

  private func foreign(_ line: Int) -> String {
    """
    The candidate "part" of the point "parts" was refused: a closure of its injection is isolated to StorageActor.
      service:        Part [part]
      point:          parts
      declared at:    \(file):\(line)
    To fix this:
      - Register the point in an injector, where lazySingleton and scoped instances can be loaded.
      - Or make the closure nonisolated or @MainActor: get is synchronous and cannot call another actor.
    """
  }

  @Test("refuses a configuration that belongs to another actor, and never runs it")
  func configuration() {
    let log = Log()
    let configure: @Sendable @StorageActor (Part, Injector) throws -> Void = { _, _ in log.add("configured") }
    let injections: [Injection<Part>] = [
      .singleton(Part()), .lazySingleton { Part() }, .weakSingleton { Part() }, .scoped { Part() }, .graph { Part() },
      .factory { Part() },
    ]
    for injection in injections {
      #expect(failures(point(injection.configure(configure), line: 7)) == [foreign(7)])
    }
    #expect(log.lines == [])
  }

  @Test("refuses an injection of another actor, because it cannot be loaded")
  func factory() {
    let make: @Sendable @StorageActor () throws -> Part = { Part() }
    let wired: @Sendable @StorageActor (any Networking) throws -> Part = { _ in Part() }
    for injection: Injection<Part> in [.lazySingleton(make), .graph(make), .factory(make), .factory(wiring: wired)] {
      #expect(failures(point(injection, line: 8)) == [foreign(8)])
    }
  }

  @Test("refuses to hold a value weakly")
  func weakValue() {
    let text = """
      Value [part] cannot be a weakSingleton: Value is not a class, and only objects can be held weakly.
        service:        Value [part]
        point:          parts
        chain:          Value [part]
        registered at:  \(file):9
      To fix this:
        - Use lazySingleton, or make it a class.
      """
    #expect(failures(point(.weakSingleton { Value() }, line: 9)) == [text])
  }

  @Test("refuses onClose if nothing keeps the instance", arguments: [Lifetime.weakSingleton, .graph, .factory])
  func closing(_ lifetime: Lifetime) {
    let injection: Injection<Part> =
      switch lifetime {
      case .weakSingleton: .weakSingleton { Part() }
      case .graph: .graph { Part() }
      default: .factory { Part() }
      }
    let text = """
      The candidate "part" of the point "parts" was refused: onClose and eager() have no effect, as no \
      injector keeps \(lifetime) instances.
        service:        Part [part]
        point:          parts
        chain:          Part [part]
        registered at:  \(file):10
      To fix this:
        - Use scoped or lazySingleton with them, or remove them, and close the instance where you use it.
      """
    #expect(failures(point(injection.onClose { _ in }, line: 10)) == [text])
  }

  @Test("refuses eager() if nothing keeps the instance")
  func eager() {
    let text = """
      The candidate "part" of the point "parts" was refused: onClose and eager() have no effect, as no \
      injector keeps factory instances.
        service:        Part [part]
        point:          parts
        chain:          Part [part]
        registered at:  \(file):11
      To fix this:
        - Use scoped or lazySingleton with them, or remove them, and close the instance where you use it.
      """
    #expect(failures(point(.factory { Part() }.eager(), line: 11)) == [text])
  }

  @Test("makes a new instance of a factory each time, and keeps an instance that is closed later")
  func givesWhatIsFine() throws {
    let point = point(.factory { Part() }, line: 12)
    #expect(try point.get(in: 0) !== point.get(in: 0))
    let kept = self.point(.lazySingleton { Part() }.onClose { _ in }, line: 13)
    #expect(try kept.get(in: 0) === kept.get(in: 0))
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
