import TestSupport
import Testing

@testable import Plug

@Suite("Closing without a task", .timeLimit(.minutes(10)))
struct ClosingAtOnceTests {
  let injector = Injector("closing")
  let log = Log()

  @Test("a second close waits for the first, and both return the failures", arguments: [false, true])
  func atOnce(isFailing: Bool) async throws {
    let injector = injector
    let second = Setting<Task<[InjectorError], Never>>()
    try injector.register(
      injectable: .lazySingleton { Instance("slow") }.onClose { [log] _ in
        let task = Task {
          let failures = await injector.close()
          log.add("second")
          return failures
        }
        second.set(task)
        for _ in 0..<100 { yieldThread() }
        log.add("close")
        if isFailing { throw Failure() }
      })
    _ = try injector.get(Instance.self)
    let first = await injector.close()
    let again = try #require(second.value)
    #expect(await again.value.map(\.description) == first.map(\.description))
    #expect(first.count == (isFailing ? 1 : 0))
    #expect(log.lines == ["close", "second"])
    #expect(await injector.close().count == first.count)
  }

  @Test("pauses for an asynchronous onClose, and continues after it")
  func mixed() async throws {
    for name in ["first", "second", "third"] as [Injector.Tag] {
      let plain = Injection<Instance>.lazySingleton { Instance(name.rawValue) }
      let injection =
        name == "second"
        ? plain.onClose { [log] instance in
          await Task.yield()
          log.add("close \(instance.name)")
        } : plain.onClose { [log] instance in log.add("close \(instance.name)") }
      try injector.register(as: Instance.self, tag: name, injectable: injection)
      _ = try injector.get(Instance.self, tag: name)
    }
    #expect(await injector.close().isEmpty)
    #expect(log.lines == ["close third", "close second", "close first"])
    #expect(await injector.close().isEmpty)
  }

  @Test("that fails keeps nothing of what it has closed")
  func released() async throws {
    let living = LivingCount()
    try injector.register(injectable: .singleton(Tracked(living)).onClose { _ in throw Failure() })
    #expect(await injector.close().count == 1)
    #expect(living.current == 0)
    #expect(await injector.close().count == 1)
  }
}
