import Foundation
import TestSupport
import Testing

@testable import Plug

#if os(Linux)
  @MainActor private final class Screen {}

  /// How much memory the program has, in bytes.
  private func residentMemory() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
    return try #require(Int(pages)) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Keeps the main actor busy while a body runs, which must not be on it.
  private func whileMainActorIsBusy<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (isBusy, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Task { @MainActor in
      isBusy.signal()
      Watchdog.wait(for: isDone, "What runs beside the main actor")
    }
    Watchdog.wait(for: isBusy, "The start on the main actor")
    defer { isDone.signal() }
    return try body()
  }

  @Suite("The question whether the main actor is current")
  struct FactoryIsolationTests {
    @Test("leaves nothing behind while the main actor is busy: 30,000 refused gets take no memory")
    func refusedGets() async {
      await #expect(processExitsWith: .success) {
        let injector = Injector()
        try injector.register { @MainActor in Screen() }
        let grown = try whileMainActorIsBusy {
          let before = try residentMemory()
          for _ in 0..<30_000 {
            guard case .failure(.mainActorRequired) = injector.outcome(Screen.self) else { exit(EXIT_FAILURE) }
          }
          return try residentMemory() - before
        }
        exit(grown < 5 << 20 ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }

    @Test("is answered by the actor, whatever thread serves it")
    func answers() async {
      #expect(await MainActor.run { isOnMainActor() })
      #expect(await Task.detached { isOnMainActor() }.value == false)
      #expect(await Task.detached { await MainActor.run { isOnMainActor() } }.value)
      onThread(stack: 1 << 20) { #expect(!isOnMainActor()) }
    }

    @MainActor @Test("is answered in a test of the main actor, before and after it waits")
    func mainActorTest() async {
      #expect(isOnMainActor())
      await Task.yield()
      #expect(isOnMainActor())
      #expect(await Task.detached { isOnMainActor() }.value == false)
    }
  }
#endif
