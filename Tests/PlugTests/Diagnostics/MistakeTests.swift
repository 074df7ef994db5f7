import Plug
import TestSupport
import Testing

private protocol Ledger: Sendable {}
private final class RemoteLedger: Ledger {}

private final class Session: Sendable {}

private struct Screen: Sendable {
  let session: Session
}

extension Injector {
  fileprivate var session: Provider<Session> { provide(.scoped { Session() }) }
}

extension Injector.Name {
  fileprivate static let notYet: Self = "ledgers"
}

@Suite("The error of a mistake that compiles", .serialized)
struct MistakeTests {
  @Test("says first that no injector has the name yet, and where to create it")
  func tooEarly() throws {
    let ledger = Injected<any Ledger>(.notYet)
    let line = #line - 1
    let error = #expect(throws: InjectorError.self) { try ledger.get() }
    #expect(
      error?.description == """
        No injector named ledgers exists yet. get((any Ledger).self) failed: nothing is registered for Ledger.
          service:        Ledger
          injector:       ledgers
          chain:          Ledger
          asked at:       PlugTests/MistakeTests.swift:\(line)
        To fix this:
          - Create the injector at launch. If a global or static let creates it, use that there: it is made lazily.
        """)
    let services = Injector(.notYet)
    try services.register(as: (any Ledger).self) { RemoteLedger() }
    #expect(try ledger.get() is RemoteLedger)
    withExtendedLifetime(services) {}
  }

  @Test("names the singleton that would keep an instance of one scope")
  func scopedInSingleton() throws {
    let services = Injector("services")
    try services.register { Screen(session: try $0.session.get()) }
    let line = #line + 1
    let error = #expect(throws: InjectorError.self) { try services.makeScope("request").get(Screen.self) }
    #expect(
      error?.description == """
        \\.session would be captured by a longer-lived service: Screen (lazySingleton) → \\.session (scoped).
          service:        \\.session
          injector:       services
          chain:          Screen → \\.session
          asked at:       PlugTests/MistakeTests.swift:\(line - 2)
          registered at:  PlugTests/MistakeTests.swift:15
        To fix this:
          - Make the longer-lived service scoped too.
          - Or pass it a scope, from which it gets the service when it needs it.
        """)
  }

  @Test("recommends a scope for a service with one instance per scope")
  func scopedOutsideOfScopes() throws {
    let line = #line + 1
    let error = #expect(throws: InjectorError.self) { try Injector("services").session.get() }
    #expect(
      error?.description == """
        injector.session() failed: \\.session has one instance per scope, and this injector is not one.
          service:        \\.session
          injector:       services
          chain:          \\.session
          asked at:       PlugTests/MistakeTests.swift:\(line)
          registered at:  PlugTests/MistakeTests.swift:15
        To fix this:
          - Get it from a scope: try Injector["services"].makeScope("…").session.get().
        """)
  }
}
