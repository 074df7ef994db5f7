import TestSupport
import Testing

@testable import Plug

private struct User: Sendable { let name: String }
private struct Clock: Sendable { let time = 12 }
private struct Missing: Sendable {}

/// An entry in a log.
private enum Entry {
  /// Adds what requests in the current injector give, or the first lines of their errors.
  static func note(_ name: String, in log: Log) {
    func text<Service: Sendable>(_ type: Service.Type, _ show: (Service) -> String) -> String {
      do throws(InjectorError) { return show(try Injected<Service>(.current).get()) } catch { return error.headline }
    }
    let user = text(User.self, \.name)
    let (first, second) = (text(Transaction.self) { _ in "open" }, text(Session.self) { _ in "open" })
    log.add("\(name): \(user), \(text(Clock.self) { "\($0.time)" }), transaction \(first), session \(second)")
  }
}

private final class Transaction: Sendable {}
private final class Session: Sendable {}

@Suite("A closure that closes an instance of a scope")
struct ClosingCurrentTests {
  let services = Injector("services")
  let log = Log()
  static let closed = "Transaction cannot be resolved or registered: the injector is closed."

  init() throws {
    try services.register(injectable: .singleton(Clock()))
    try services.register(as: User.self, injectable: .providedByScope)
    try services.register(
      injectable: .scoped { Transaction() }.onClose { [log] _ in Entry.note("transaction", in: log) })
    try services.register(injectable: .scoped { Session() }.onClose { [log] _ in Entry.note("session", in: log) })
  }

  private func fill(_ scope: Injector, for user: String = "Ann") throws {
    try scope.register(injectable: .singleton(User(name: user)))
    _ = (try scope.get(Session.self), try scope.get(Transaction.self))
  }

  private var expected: [String] {
    [
      "transaction: Ann, 12, transaction open, session open",
      "session: Ann, 12, transaction \(Self.closed), session open",
    ]
  }

  @Test("finds the scope as the current injector, with what is inherited and what is not closed yet")
  func synchronous() throws {
    func work() throws { try services.withScope("request") { try fill($0) } }
    try work()
    #expect(log.lines == expected)
  }

  @Test("finds the same in an asynchronous function, in a cancelled task, and where closing takes time")
  func asynchronous() async throws {
    try services.register(injectable: .scoped { Missing() }.onClose { _ in await Task.yield() })
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await services.withScope("request") { scope in
        try fill(scope)
        _ = try scope.get(Missing.self)
      }
    }
    try await task.value
    #expect(log.lines == expected)
  }

  @Test("finds what the scope has registered, decorated and loaded, and nothing that it would have to make")
  func kinds() async throws {
    try services.register(as: String.self, injectable: .scoped { await Task { "loaded" }.value })
    try services.register(as: Int.self, injectable: .scoped { 1 })
    try services.register(as: Double.self, injectable: .factory { try Double($0.get(User.self).name.count) })
    try services.register(as: [Bool].self, injectable: .singleton([true]))
    try await services.withScope("request") { [log] scope in
      try scope.register(as: UInt.self, injectable: .lazySingleton { 1 })
      try scope.decorate(UInt.self) { inner, _ in inner + 1 }
      try scope.register(as: UInt8.self, injectable: .lazySingleton { 1 })
      try scope.register(as: [Bool].self, injectable: .lazySingleton { [false] })
      _ = (try scope.get(UInt.self), try await scope.load(String.self))
      try scope.register(
        as: Missing.self,
        injectable: .lazySingleton { Missing() }.onClose { _ in
          let scope = try #require(Injector.current)
          let texts = [
            try scope.get(String.self), "\(try scope.get(UInt.self))", "\(try scope.get(Double?.self) ?? 0)",
          ]
          log.add(texts.joined(separator: " "))
          #expect(try scope.getAll(Clock.self).map(\.time) == [12] && scope.get(User?.self)?.name == "Ann")
          let refusals = [
            #expect(throws: InjectorError.self) { try scope.get(Int.self) },
            #expect(throws: InjectorError.self) { try scope.get(UInt8.self) },
            #expect(throws: InjectorError.self) { try scope.get([Bool].self) },
            #expect(throws: InjectorError.self) { try scope.register(as: Int8.self, injectable: .singleton(1)) },
          ]
          for refusal in refusals { log.add(refusal?.headline ?? "") }
        })
      try fill(scope)
      _ = try scope.get(Missing.self)
    }
    let ends = ["Int", "UInt8", "Array<Bool>", "Int8"].map {
      "\($0) cannot be resolved or registered: the injector is closed."
    }
    #expect(log.lines == ["loaded 2 3.0"] + ends + expected)
  }

  @Test("finds what the scopes around its own have, which are open")
  func nested() throws {
    try services.withScope("session") { outer in
      try outer.register(injectable: .singleton(User(name: "Ann")))
      _ = try outer.get(Session.self)
      try outer.withScope("request") { inner in _ = (try inner.get(Session.self), try inner.get(Transaction.self)) }
      #expect(Injector.current === outer)
    }
    #expect(log.lines == expected + [expected[1]])
  }

  @Test("finds nothing in a task that it has begun, once the scope is closed")
  func late() async throws {
    let (gate, found) = (Latch(), Locked<Task<String, Never>?>(nil))
    try services.register(
      injectable: .scoped { Missing() }.onClose { _ in
        found.withLock {
          $0 = Task {
            await gate.wait()
            do { return try Injected<User>(.current).get().name } catch { return "\(error)".prefix { $0 != "\n" } + "" }
          }
        }
      })
    try await services.withScope("request") { scope in
      try fill(scope)
      _ = try scope.get(Missing.self)
    }
    gate.open()
    #expect(await found.withLock { $0 }?.value == "User cannot be resolved or registered: the injector is closed.")
  }

  @Test("is alone in finding them: a request of another thread throws")
  func threads() throws {
    let texts = Locked<[String]>([])
    try services.register(
      injectable: .scoped { Missing() }.onClose { _ in
        let scope = try #require(Injector.current)
        let ask: @Sendable () -> String = {
          (#expect(throws: InjectorError.self) { try scope.get(User.self) })?.headline ?? ""
        }
        texts.withLock { [found = inParallel(ask, ask)] in $0 = found }
      })
    try services.withScope("request") { scope in
      try fill(scope)
      _ = try scope.get(Missing.self)
    }
    let closed = "User cannot be resolved or registered: the injector is closed."
    #expect(texts.withLock { $0 } == [closed, closed])
    #expect(log.lines == expected)
  }
}
