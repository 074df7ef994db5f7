import TestSupport
import Testing

@testable import Plug

private protocol Sink: Sendable {}
private struct FileSink: Sink {}
private final class Log: Sendable {}

private final class Service: Sendable {
  init(_ log: Log) {}
}

private final class First: Sendable {}
private final class Loaded: Sendable {}
private final class Second: Sendable { let first = Setting<First>() }
private final class Third: Sendable {
  let second: Second
  init(second: Second) { self.second = second }
}
private final class Fourth: Sendable { let third = Setting<Third>() }

@Suite("A load")
struct LoadingOutcomeTests {
  @Test("whose configuration is refused a service throws that error to every waiter", .timeLimit(.minutes(10)))
  func refusedConfiguration() async throws {
    let injector = Injector()
    try injector.register(injectable: .scoped { FileSink() as any Sink })
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Log()
      }.configure { _, injector in _ = try injector.get((any Sink).self) })
    let refusals = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<3 {
        group.addTask {
          do throws(InjectorError) {
            _ = try await injector.load(Log.self)
            return false
          } catch {
            guard case .captiveDependency = error else { return false }
            return true
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(refusals == [true, true, true])
  }

  @Test("is not failed by a get of another thread that needs it to load something")
  func notLoadedElsewhere() async throws {
    let (injector, isMade) = (Injector(), Setting<Bool>())
    try injector.register(.lazySingleton { First() })
    try injector.register(.lazySingleton { () async in Loaded() })
    try injector.register(
      .lazySingleton { Second() }.configure { second, injector in
        isMade.set(true)
        second.first.set(try injector.get(First.self))
        _ = try injector.get(Loaded.self)
      })
    try injector.register { Third(second: try $0.get()) }
    let (isFirst, refusal) = (Counter(), Setting<Bool>())
    try injector.register(
      .lazySingleton { Fourth() }.configure { fourth, injector in
        _ = try injector.get(First.self)
        if isFirst.increment() == 1 {
          startThread {
            guard case .failure(.notLoaded) = injector.outcome(Second.self) else { return refusal.set(false) }
            refusal.set(true)
          }
          while isMade.value == nil { yieldThread() }
          let cell = injector.state.withLock { $0.cell(of: Key(First.self)) }
          while cell?.claim.withLock(\.waiters.isEmpty) ?? false { yieldThread() }
        }
        fourth.third.set(try injector.get(Third.self))
      })
    let fourth = try await injector.load(Fourth.self)
    #expect(try injector.get(Fourth.self) === fourth)
    #expect(try fourth.third.value?.second.first.value === injector.get(First.self))
    while refusal.value == nil { await Task.yield() }
    #expect(refusal.value == true)
  }

  @Test("returns an instance while another thread resets")
  func loading() async throws {
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Log()
      })
    try injector.register { Service(try $0.get()) }
    await withTaskGroup(of: String?.self) { group in
      for task in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            do {
              if task == 0 {
                injector.reset()
                await Task.yield()
              } else if task == 1 {
                _ = try await injector.load(Service.self)
              } else {
                _ = try await injector.load(Log.self)
              }
            } catch {
              return "\(error)"
            }
          }
          return nil
        }
      }
      for await failure in group { #expect(failure == nil) }
    }
  }
}
