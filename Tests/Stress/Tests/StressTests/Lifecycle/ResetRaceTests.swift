import TestSupport
import Testing

@testable import Plug

private final class Session: Sendable {
  let number: Int

  init(_ number: Int) {
    self.number = number
  }
}

@Suite("Resetting under several threads", .repeatable, .serialized)
struct ResetRaceTests {
  @Test("closes every instance once during requests, and later requests get another instance", arguments: [2, 8])
  func race(threads: Int) throws {
    try TestSupport.race(threads: threads) {
      _ -> (injector: Injector, closings: Counter, makes: Counter) in
      let (injector, closings, makes) = (Injector(), Counter(), Counter())
      try injector.register(
        injectable: .lazySingleton { Session(makes.increment()) }.onClose { _ in closings.increment() })
      return (injector, closings, makes)
    } body: { subject, thread -> Session? in
      if thread > 0 { return try? subject.injector.get(Session.self) }
      subject.injector.reset()
      return nil
    } check: { subject, made in
      let distinct = Set(made.compactMap(\.self).map(ObjectIdentifier.init))
      // An instance that the reset closed while it was made is given to nobody.
      #expect(made.compactMap(\.self).count == threads - 1)
      #expect(subject.makes.value <= 2 && distinct.count <= subject.makes.value)
      subject.injector.closeNow()
      #expect(subject.closings.value == subject.makes.value)
    }
  }
}
