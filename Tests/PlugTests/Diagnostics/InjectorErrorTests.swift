import TestSupport
import Testing

@testable import Plug

private protocol Payments: Sendable {}
private protocol PaymentClient: Sendable {}
private struct Card: Payments {}
private struct Client: PaymentClient {}
private struct Checkout: Sendable {}
private struct Shopper: FeatureContext {
  var enabledFeatures: Set<String> = []
}
private struct Level40 {}
private struct Visitor: Sendable {}

/// The message of the error that a request throws.
private func text(_ body: () throws(InjectorError) -> Void) -> String {
  do throws(InjectorError) {
    try body()
    return "nothing was thrown"
  } catch {
    return error.description
  }
}

@Suite("The text of an error", .serialized)
struct InjectorErrorTests {
  private let file = #fileID

  @Test("of a missing service names it, the injector, the chain, the nearest name and the fix")
  func notRegistered() throws {
    let services = Injector("services")
    try services.register(as: (any PaymentClient).self) { Client() }
    let client = #line - 1
    try services.register(as: Checkout.self) { injector in
      _ = try injector.get((any Payments).self)
      return Checkout()
    }
    let asked = #line - 3
    let message = text { () throws(InjectorError) in _ = try services.get(Checkout.self) }
    #expect(
      message == """
        get((any Payments).self) failed: nothing is registered for Payments.
          service:        Payments
          injector:       services
          chain:          Checkout → Payments
          asked at:       \(file):\(asked)
          nearest:        PaymentClient, registered at \(file):\(client)
        To fix this:
          - Register it before you ask for it: try Injector["services"].register((any Payments).self, …).
          - Or ask for PaymentClient, if you meant that.
        """)
  }

  @Test("of an unregistration without a registration names the candidate and the nearest candidate")
  func removal() throws {
    let injector = Injector("services")
    try injector.contribute(
      Checkout.self, .factory { Checkout() }, when: Rule<Shopper>.feature("new"), id: "new")
    let line = #line - 2
    let message = text { () throws(InjectorError) in
      try injector.unregister(Checkout.self, candidate: "newer")
    }
    #expect(
      message == """
        unregister(Checkout.self, candidate: "newer") was refused: nothing is registered for Checkout [newer].
          service:        Checkout [newer]
          injector:       services
          nearest:        new, registered at \(file):\(line)
        To fix this:
          - Pass the id of one of its candidates: explain prints them.
        """)
  }

  @Test("of a second registration names the place of the first")
  func alreadyRegistered() throws {
    let injector = Injector("services")
    try injector.register(as: Checkout.self) { Checkout() }
    let line = #line - 1
    let message = text { () throws(InjectorError) in try injector.register(as: Checkout.self) { Checkout() } }
    #expect(
      message == """
        register(Checkout.self) was refused: Checkout is already registered.
          service:        Checkout
          injector:       services
          registered at:  \(file):\(line)
          refused at:     \(file):\(line + 2)
        To fix this:
          - Remove one of the two registrations, or give one of them a tag: tag: "…".
          - Or make one of them a candidate that a rule selects: \
        try Injector["services"].contribute(Checkout.self, …, when: …).
          - Or keep both, for getAll, and register each so: \
        try Injector["services"].contribute(Checkout.self, …).
          - Or unregister the first, or create the injector with allowRewrite: true.
        """)
  }

  @Test("of a wrong type of context names both types")
  func contextMismatch() throws {
    let injector = Injector("services")
    try injector.contribute(Checkout.self, .factory { Checkout() }, when: Rule<Shopper>.feature("new"))
    let line = #line - 1
    let asked = text { () throws(InjectorError) in _ = try injector.get(Checkout.self, in: Visitor()) }
    let place = "\n  asked at:       \(file):\(#line - 1)"
    func facts(_ place: String) -> String {
      """
      Checkout is chosen by a context of type Shopper, not Visitor.
        service:        Checkout
        injector:       services
        chain:          Checkout\(place)
        registered at:  \(file):\(line)
      To fix this:
        - Pass a Shopper, or use pullback to apply its rules to a larger context.
        - Or register the candidates for Visitor under their own tag.
      """
    }
    #expect(asked == facts(place))
    let registered = text { () throws(InjectorError) in
      try injector.contribute(Checkout.self, .factory { Checkout() }, when: Rule<Visitor>.always)
    }
    #expect(registered == facts(""))
  }

  @Test("of a service without an applicable candidate explains every candidate")
  func noCandidate() throws {
    let injector = Injector("services")
    try injector.contribute(
      Checkout.self, .factory { Checkout() }, when: Rule<Shopper>.feature("new"), id: "new")
    let line = #line - 2
    let message = text { () throws(InjectorError) in _ = try injector.get(Checkout.self, in: Shopper()) }
    let asked = #line - 1
    #expect(
      message == """
        get(Checkout.self) failed: no candidate for Checkout applies.
          service:        Checkout
          injector:       services
          chain:          Checkout
          asked at:       \(file):\(asked)
          registered at:  \(file):\(line)
          Checkout in Shopper: 0 of 1 apply, selected: none
            new: ruled out
              - feature "new": []
        To fix this:
          - Register a candidate without a rule as the fallback: \
        try Injector["services"].register(Checkout.self, …).
        """)
  }

  @Test("of a missing context says that it can be passed or registered")
  func contextMissing() throws {
    let injector = Injector("services")
    try injector.contribute(Checkout.self, .factory { Checkout() }, when: Rule<Shopper>.feature("new"))
    let line = #line - 1
    let message = text { () throws(InjectorError) in _ = try injector.get(Checkout.self) }
    let asked = #line - 1
    #expect(
      message == """
        get(Checkout.self) failed: its candidates need a Shopper, and none was passed or registered.
          service:        Checkout
          injector:       services
          chain:          Checkout
          asked at:       \(file):\(asked)
          registered at:  \(file):\(line)
        To fix this:
          - Pass one: try Injector["services"].get(Checkout.self, in: …), or register Shopper in the injector.
        """)
  }

  @Test("of a circular dependency shows the path")
  func circularDependency() throws {
    let injector = Injector("services")
    try injector.register(as: Checkout.self) { injector in
      _ = try injector.get((any Payments).self)
      return Checkout()
    }
    let line = #line - 4
    try injector.register(as: (any Payments).self) { injector in
      _ = try injector.get(Checkout.self)
      return Card()
    }
    let asked = #line - 3
    let message = text { () throws(InjectorError) in _ = try injector.get(Checkout.self) }
    #expect(
      message == """
        Checkout depends on itself: Checkout → Payments → Checkout.
          service:        Checkout
          injector:       services
          chain:          Checkout → Payments → Checkout
          asked at:       \(file):\(asked)
          registered at:  \(file):\(line)
        To fix this:
          - Get one of them in a configure closure of the other, which must be a singleton or scoped.
          - Or move the shared dependencies into a third service.
        """)
  }

  @Test("of a factory that threw contains its error")
  func constructionFailed() throws {
    let injector = Injector("services")
    try injector.register(as: Checkout.self) { throw Failure() }
    let line = #line - 1
    let message = text { () throws(InjectorError) in _ = try injector.get(Checkout.self) }
    let asked = #line - 1
    #expect(
      message == """
        Checkout could not be made: the disk is full
          service:        Checkout
          injector:       services
          chain:          Checkout
          asked at:       \(file):\(asked)
          registered at:  \(file):\(line)
        To fix this:
          - Check the factory, which threw Failure. The next get tries again.
        """)
  }

  @Test("of a change after sealing says so")
  func sealed() throws {
    let injector = Injector("services")
    try injector.register(as: Checkout.self) { Checkout() }
    let line = #line - 1
    try injector.seal()
    for message in [
      text { () throws(InjectorError) in try injector.register(as: Checkout.self) { Checkout() } },
      text { () throws(InjectorError) in try injector.unregister(Checkout.self) },
    ] {
      #expect(
        message == """
          The registrations of Checkout cannot change: the injector is sealed.
            service:        Checkout
            injector:       services
            registered at:  \(file):\(line)
          To fix this:
            - Change them before seal(), or use an injector that is not sealed.
          """)
    }
    #expect(throws: Never.self) { try injector.get(Checkout.self) }
  }

  @Test("of a chain that is too long omits its middle")
  func depthExceeded() {
    let way = (0..<40).map {
      ServiceName(key: ServiceKey(Level40.self, Injector.Tag(rawValue: "\($0)")), candidate: nil)
    }
    let chain = way.map(\.text) + ["Level40"]
    let level = ServiceName(key: ServiceKey(Level40.self, nil), candidate: nil)
    let facts = InjectorError.Facts(.service(level), in: .inner(names: []), after: way)
    #expect(
      InjectorError.depthExceeded(facts, depth: 40).description == """
        The chain to Level40 is too deep: 40 dependencies would overflow the stack.
          service:        Level40
          injector:       (unnamed)
          chain:          \(chain[...11].joined(separator: " → ")) → … 21 more … → \(chain[33...].joined(separator: " → "))
        To fix this:
          - Get a singleton in the middle of the chain first, so that the rest of the chain starts there.
          - Or run the first get on a thread with a larger stack.
        """)
  }
}
