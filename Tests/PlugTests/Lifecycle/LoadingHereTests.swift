import TestSupport
import Testing

@testable import Plug
@testable import PlugKeys

private struct Page: Sendable {
  let thread: UInt
}

private enum Level: Property { static let defaultValue = 0 }

@Suite("A load that no other task shares")
struct LoadingHereTests {
  @Test("may be nested more deeply than loads run on one thread")
  func nested() async throws {
    let services = Injector()
    try services.register(
      injectable: .scoped { (scope: Injector) async throws -> Int in
        let level = scope[Level.self]
        if level == 100 { return 0 }
        let inner = scope.makeScope()
        inner[Level.self] = level + 1
        let depth = try await inner.load(Int.self)
        await inner.close()
        return depth + 1
      })
    try services.seal()
    #expect(try await services.makeScope().load(Int.self) == 100)
  }

  @Test("does not depend on the instance that the calling thread is making")
  func unrelated() async throws {
    let services = Injector()
    let loads = Locked<[Task<Page, any Error>]>([])
    let request = services.makeScope("request")
    try services.register(
      injectable: .scoped { () async throws -> Page in Page(thread: threadNumber) })
    try services.register(
      as: String.self,
      injectable: .lazySingleton {
        loads.withLock { $0.append(Task { try await request.load(Page.self) }) }
        return "made"
      })
    #expect(try services.get(String.self) == "made")
    for load in loads.withLock({ $0.map(\.self) }) { _ = try await load.value }
  }
}
