import Plug
import Testing

private protocol Sink: Sendable {}
private struct FileSink: Sink {}
private final class Log: Sendable {}

private final class Service: Sendable {
  init(_ log: Log) {}
}

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
