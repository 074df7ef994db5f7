import Plug
import TestSupport
import Testing

/// A service that closes itself, so that a closed one shows.
private final class Part: Sendable {
  let name: String
  private let isOver = Locked(false)

  init(_ name: String) { self.name = name }

  var isClosed: Bool { isOver.withLock { $0 } }
  func close() { isOver.withLock { $0 = true } }
}

@Suite("Candidates that are replaced by equal ones", .repeatable, .serialized)
struct ReplacedCandidateRaceTests {
  private enum Change: CaseIterable { case reset, resetOfService, candidate, fallback }

  private static func part(_ name: String) -> Injection<Part> { .lazySingleton { Part(name) } }

  private static func register(_ name: String, priority: Int = 0, in injector: Injector) throws {
    try injector.contribute(
      Part.self, part(name), when: Rule<Int>("any") { _ in true }, id: name, priority: priority)
  }

  @Test("are all there at every moment, and the same one wins", arguments: Change.allCases)
  private func replaced(change: Change) throws {
    try race(threads: 3) { _ in
      let injector = Injector(allowRewrite: true)
      try Self.register("main", priority: 1, in: injector)
      try Self.register("other", in: injector)
      try injector.register(injectable: Self.part("fallback"))
      return injector
    } body: { injector, thread -> [String] in
      var found: [String] = []
      for _ in 0..<20 {
        do {
          if thread > 0 {
            found.append(try injector.get(Part.self, in: 1).name)
            found.append(try injector.getAll(Part.self, in: 1).map(\.name).joined(separator: " "))
            continue
          }
          switch change {
          case .reset: injector.reset()
          case .resetOfService: try injector.reset(Part.self)
          case .candidate: try Self.register("main", priority: 1, in: injector)
          case .fallback: try injector.register(injectable: Self.part("fallback"))
          }
        } catch {
          found.append("\(error)")
        }
      }
      return Set(found).sorted()
    } check: { _, found in
      #expect(found == [[], ["main", "main other fallback"], ["main", "main other fallback"]])
    }
  }

  @Test("are not closed when a request returns them for the first time", arguments: [false, true])
  func open(isScoped: Bool) throws {
    try race(threads: 2) { _ in
      let make: @Sendable () -> Part = { Part("made") }
      let injector = Injector()
      try injector.register(
        injectable: (isScoped ? Injection.scoped(make) : .lazySingleton(make)).onClose { $0.close() })
      return (root: injector, scope: injector.makeScope(), isReset: Locked(false))
    } body: { site, thread -> Bool in
      if thread == 1 {
        (isScoped ? site.scope : site.root).reset()
        site.isReset.withLock { $0 = true }
        return true
      }
      // One that is closed although no reset has ended since the request was closed while it was made.
      let part = try? site.scope.get(Part.self)
      return part?.isClosed == false || site.isReset.withLock { $0 }
    } check: { _, outcomes in
      #expect(outcomes == [true, true])
    }
  }
}
