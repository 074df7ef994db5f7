import Plug
import Synchronization
import Testing

private struct Request: Sendable {
  let isValid: Bool
  let log: Log
}

private struct Refused: Error {}

private final class Transaction: Sendable {
  let log: Log
  private let isCommitted = Mutex(false)

  init(request: Request) {
    log = request.log
  }

  func commit() {
    isCommitted.withLock { $0 = true }
    log.add("committed")
  }

  func rollBack() {
    if !isCommitted.withLock({ $0 }) { log.add("rolled back") }
  }
}

private struct Handler: Sendable {
  let request: Request
  let transaction: Transaction

  func answer() throws -> String {
    guard request.isValid else { throw Refused() }
    return "answer"
  }
}

@Suite("The guide Lifetimes and scopes")
struct LifetimesAndScopesGuideTests {
  private func serve(_ request: Request) throws -> String {
    let services = Injector()
    try services.register(Request.self, .providedByScope)
    try services.register(
      .scoped(wiring: Transaction.init).onClose { $0.rollBack() })
    try services.register(.scoped(wiring: Handler.init))
    try services.seal()

    let scope = try services.makeScope("request") {
      try $0.register(.singleton(request))
    }
    defer { scope.closeNow() }
    let answer = try scope.get(Handler.self).answer()
    try scope.get(Transaction.self).commit()
    return answer
  }

  @Test("A unit of work that succeeds is committed, and one that fails is rolled back")
  func unitOfWork() throws {
    let (good, bad) = (Log(), Log())
    #expect(try serve(Request(isValid: true, log: good)) == "answer")
    #expect(throws: Refused.self) { try serve(Request(isValid: false, log: bad)) }
    #expect(good.lines == ["committed"] && bad.lines == ["rolled back"])
  }

  private struct User: Sendable {
    let name: String
  }

  private struct AuditLog {
    @Injected(.current) var user: User
  }

  private func respond() async throws -> String { AuditLog().user.name }

  private func serve(_ user: User, with services: Injector) async throws -> String {
    try await services.withScope("request") { scope in
      try scope.register(.singleton(user))
      return try await respond()
    }
  }

  @Test("Code far down in a request finds the user of the request")
  func currentScope() async throws {
    let services = Injector()
    async let first = serve(User(name: "Ada"), with: services)
    async let second = serve(User(name: "Bo"), with: services)
    #expect(try await [first, second] == ["Ada", "Bo"])
  }
}
