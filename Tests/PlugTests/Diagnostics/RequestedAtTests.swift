import PlugOperations
import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private struct Needs: Sendable {
  let number: Double
}

private struct BrokenClock: Feature {
  static func load(in injector: Injector) throws -> BrokenClock { throw Failure() }
}

extension Injector {
  fileprivate var text: Provider<String> { provide(.factory { throw Failure() }) }
  fileprivate var label: Provider<String, Int> { provide { _, _ in throw Failure() } }
  fileprivate var page: Provider<String> { provide(.lazySingleton { try await Self.fail() }) }

  private static func fail() async throws -> String { throw Failure() }
}

@Suite("The place of a failed request")
struct RequestedAtTests {
  private let injector = Injector("asked")

  /// The place of a request according to its error, and its real place.
  private func places(
    line: Int = #line, _ body: (Injector) throws -> Void
  ) -> [CodeLocation?] {
    let error = #expect(throws: InjectorError.self) { try body(injector) }
    return [error?.facts.requestedAt, CodeLocation(fileID: #fileID, line: line)]
  }

  @Test("is the place of the call, for every kind of call", arguments: [false, true])
  func calls(isWatched: Bool) throws {
    if isWatched { injector.tracer = { _ in } }
    try injector.register(Float.self, taking: Int.self) { _, _ in throw Failure() }
    try injector.register(as: Bool.self, injectable: .factory { throw Failure() })
    try injector.contribute(Int.self, .factory { 1 }, when: Rule<Guest>.feature("never"))
    let closed = injector.makeScope()
    closed.closeNow()
    for _ in 0..<2 {
      let places = [
        places { _ = try $0.get(Double.self) },
        places { _ = try $0.get(Bool.self) },
        places { _ = try $0.get(Int.self, in: Guest()) },
        places { _ = try $0.getAll(Bool.self) },
        places { _ = try $0.getAll(Bool.self, in: Guest()) },
        places { _ = try $0.get([String: Bool].self) },
        places { _ = try $0.get(Float.self, with: 3) },
        places { _ = try $0.get(Float.self, with: "three") },
        places { _ = try $0.text.get() },
        places { _ = try $0.label.get(3) },
        places { _ = try $0.get(BrokenClock.self) },
        places { _ in _ = try closed.get(Theme.self) },
        places { _ in _ = try closed.text.get() },
        places { _ in _ = try closed.label.get(3) },
        places { _ = try Injected<Double>(injector: $0).get() },
        places { _ = try Injected(\.text, injector: $0).get() },
      ]
      #expect(places.map(\.[0]) == places.map(\.[1]))
    }
    injector.tracer = nil
  }

  @Test("is the place of a load, too")
  func loading() async throws {
    try injector.register(
      as: Double.self,
      injectable: .lazySingleton {
        await Task.yield()
        throw Failure()
      })
    let line = #line + 2
    let errors = [
      await #expect(throws: InjectorError.self) { try await injector.load(Double.self) },
      await #expect(throws: InjectorError.self) { try await injector.load(Float.self) },
      await #expect(throws: InjectorError.self) { try await injector.page.load() },
    ]
    #expect(errors.map { $0?.facts.requestedAt } == (0...2).map { CodeLocation(fileID: #fileID, line: line + $0) })
  }

  @Test("is the innermost one, and never in the library")
  func innermost() throws {
    try injector.register(as: Needs.self, injectable: .factory(wiring: Needs.init))
    #expect(places { _ = try $0.get(Needs.self) }.map { $0?.line } == [#line, #line])
    try injector.register(as: Bool.self) { try $0.get(Needs.self).number > 0 }
    let inner = CodeLocation(fileID: #fileID, line: #line - 1)
    #expect(places { _ = try $0.get(Bool.self) }.first == inner)
    try injector.contribute(Int.self, .factory { 1 }, when: Rule<Guest>.feature("never"))
    #expect(places { _ = try $0.get(Int.self) }.map { $0?.line } == [#line, #line])
  }

  @Test("is the place of a refused registration, but not of a removal that finds nothing")
  func registration() throws {
    try injector.register(as: Int.self, injectable: .singleton(1))
    #expect(places { try $0.register(as: Int.self, injectable: .singleton(2)) }.first??.line == #line)
    #expect(places { try $0.unregister(Bool.self) }.first == .some(nil))
  }
}
