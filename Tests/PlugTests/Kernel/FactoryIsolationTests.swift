import Foundation
import TestSupport
import Testing

@testable import Plug

#if os(Linux)
  @MainActor private final class Screen {}

  /// The resident memory of the program, in bytes.
  private func residentMemory() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
    return try #require(Int(pages)) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Keeps the main actor busy while `body` runs on another thread.
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

  @Suite("The check for the main actor")
  struct FactoryIsolationTests {
    @Test("takes no memory for 30,000 refused gets while the main actor is busy")
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

    @Test("is answered by the actor, on any thread")
    func answers() async {
      #expect(await MainActor.run { isOnMainActor() })
      #expect(await Task.detached { isOnMainActor() }.value == false)
      #expect(await Task.detached { await MainActor.run { isOnMainActor() } }.value)
      onThread(stack: 1 << 20) { #expect(!isOnMainActor()) }
    }

    @MainActor @Test("succeeds in a test of the main actor, before and after a suspension")
    func mainActorTest() async {
      #expect(isOnMainActor())
      await Task.yield()
      #expect(isOnMainActor())
      #expect(await Task.detached { isOnMainActor() }.value == false)
    }
  }
#endif
