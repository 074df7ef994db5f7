import Foundation
import Plug
import PlugFlags
import PlugFlagsHTTP
import PlugKeys
import Testing

/// `FUZZ_SECONDS=600 FUZZ_SEED=7 swift test --filter FlagServerFuzzTests` looks for longer, from another seed.
@Suite struct FlagServerFuzzTests {
  private let host = RawHost()
  private let clock = PollClock()

  private func good(_ number: Int, isEvaluation: Bool) -> RawHost.Answer {
    let evaluations = #"{"flags":[{"key":"a","value":\#(number)},{"key":"b","value":\#(number)}]}"#
    let body = isEvaluation ? evaluations : .numbers(number)
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    return RawHost.Answer(bytes: Array((head + body).utf8))
  }

  /// Ends the wait of the polls, and returns when they wait again. A request that is not answered is given up.
  private func poll(givingUp isGivingUp: Bool) async {
    await clock.wake(await wait(givingUp: false))
    _ = await wait(givingUp: isGivingUp)
  }

  /// The wait of the polls. After an event, a second comes first.
  private func wait(givingUp isGivingUp: Bool) async -> Duration {
    while true {
      let wait = await clock.sleeps { $0 >= .seconds(30) || $0 == .seconds(1) || isGivingUp && $0 == .seconds(10) }
      if wait >= .seconds(30) { return wait }
      clock.wakeAll(wait)
      await Task.yield()
    }
  }

  @Test(arguments: [false, true])
  func `After any bytes, a good answer is in force`(isEvaluation: Bool) async throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["FUZZ_SECONDS"].flatMap(Double.init)
    let seed = environment["FUZZ_SEED"].flatMap(UInt64.init) ?? 1
    let (services, begin) = (Injector("shop"), Date.now)
    try await host.serving { url in
      let polling = FlagPolling(jitter: 0, sizeLimit: 1 << 16, clock: clock)
      let server =
        isEvaluation
        ? FlagServer(ofrep: url, context: ["targetingKey": "p-17"], polling: polling)
        : FlagServer(url, polling: polling)
      var answers = RandomAnswers(seed: seed, url: url)
      host.answer(good(0, isEvaluation: isEvaluation))
      let following = try await services.follow(server)
      var round = 0
      while seconds.map({ -begin.timeIntervalSinceNow < $0 }) ?? (round < 200) {
        round += 1
        let answer: RawHost.Answer = answers.next()
        host.answer(answer)
        await poll(givingUp: answer.staysOpen)
        // The connections to event streams that have failed are opened again.
        for delay in [1, 2, 4, 8, 16] { clock.wakeAll(.seconds(delay)) }
        host.answer(good(1000 + round, isEvaluation: isEvaluation))
        // A connection that the server is about to close may still be used again, and costs a request.
        for _ in 0..<5 where services[Flags.self].number("a") != 1000 + round { await poll(givingUp: false) }
        let number = services[Flags.self].number("a")
        if number != 1000 + round || services.flagState != "current" {
          Issue.record("Round \(round), seed \(seed): \(number), \(services.flagState), after \(answer)")
          break
        }
      }
      print("fuzz: \(round) answers in \(-begin.timeIntervalSinceNow) s")
      following.cancel()
    }
  }
}
