import TestSupport
import Testing

@testable import Plug

@Suite("Loading a weak singleton of the main actor", .repeatable)
struct WeakLoadingRaceTests {
  @Test("succeeds also while the last owner releases the instance")
  func releasing() async throws {
    let injector = Injector()
    try injector.register(injectable: .weakSingleton { @MainActor in MainInstance() })
    try await Rounds.run { _ in
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            do throws(InjectorError) {
              _ = try await injector.load(MainInstance.self)
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
  }
}

@MainActor private final class MainInstance {}
