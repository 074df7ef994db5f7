import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Plug

private struct Page: Sendable {
  let thread: UInt
}

private enum Level: Property { static let defaultValue = 0 }

@Suite("A load that nobody shares")
struct LoadingHereTests {
  @Test("runs where it is asked for, and needs nobody else, if it never waits")
  func here() async throws {
    let services = Injector()
    try services.register(
      injectable: .scoped { () async throws -> Page in Page(thread: ThreadContext.current.number) })
    try services.seal()
    let threads = try await Task.detached {
      var threads: [Bool] = []
      for _ in 0..<1000 {
        let scope = services.makeScope()
        let here = ThreadContext.current.number
        threads.append(try await scope.load(Page.self).thread == here)
        await scope.close()
      }
      return threads
    }.value
    #expect(threads == Array(repeating: true, count: 1000))
  }

  @Test("may lie in others, deeper than they run on one thread")
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

  @Test("has nothing to do with what the thread is making that begins it")
  func unrelated() async throws {
    let services = Injector()
    let loads = Guarded<[Task<Page, any Error>]>([])
    let request = services.makeScope("request")
    try services.register(
      injectable: .scoped { () async throws -> Page in Page(thread: ThreadContext.current.number) })
    try services.register(
      as: String.self,
      injectable: .lazySingleton {
        loads.withLock { $0.append(Task { try await request.load(Page.self) }) }
        return "made"
      })
    #expect(try services.get(String.self) == "made")
    for load in loads.withLock({ $0.map(\.self) }) { _ = try await load.value }
  }

  @Test("is told once how it ends, whoever cancels it when", arguments: 0..<50)
  func cancelled(round: Int) async throws {
    let services = Injector()
    let count = Atomic(0)
    try services.register(
      injectable: .lazySingleton { () async throws -> Page in
        count.add(1, ordering: .relaxed)
        await Task.yield()
        try Task.checkCancellation()
        return Page(thread: 1)
      })
    let tasks = (0..<8).map { _ in Task { try await services.load(Page.self).thread } }
    for task in tasks.prefix(round % 8) { task.cancel() }
    var loaded = 0
    for task in tasks.suffix(8 - round % 8) { loaded += try await task.value == 1 ? 1 : 0 }
    for task in tasks { _ = await task.result }
    #expect(loaded == 8 - round % 8)
    #expect(count.load(ordering: .relaxed) <= 8)
  }
}
