import PlugKeys
import TestSupport
import Testing

@testable import Plug

private enum Depth: Property { static var defaultValue: Int { 7 } }

private final class Session: Sendable {}

@Suite("Scopes in scopes", .repeatable, .timeLimit(.minutes(10)))
struct NestedScopesTests {
  let injector = Injector("nested")

  @Test("20,000 nested scopes are released, and the ones too deep are closed", arguments: [512 << 10, 8 << 20])
  func tooMany(stack: Int) throws {
    let injector = injector
    try injector.register(injectable: .scoped { Session() })
    let errors = onThread(stack: stack) {
      var scope = injector
      for _ in 0..<20_000 { scope = scope.makeScope() }
      let deepest = scope
      var errors: [String] = []
      do { _ = try deepest.get(Depth.self) } catch { errors.append("\(error)".headline) }
      do { _ = try deepest.get(Session.self) } catch { errors.append("\(error)".headline) }
      do { try deepest.register { Session() } } catch { errors.append("\(error)".headline) }
      return deepest.isClosed ? errors : []
    }
    let rest = "cannot be resolved or registered: its scope is nested too deeply, inside 201 injectors."
    #expect(errors == ["Depth", "Session", "Session"].map { "\($0) \(rest)" })
  }

  @Test("200 nested scopes work on a small stack", arguments: [512 << 10])
  func asMany(stack: Int) throws {
    let injector = injector
    try injector.register(injectable: .scoped { Session() })
    try injector.register(as: Int.self) { 1 }
    let values = onThread(stack: stack) { () -> [Int]? in
      var scopes = [injector]
      for _ in 0..<200 { scopes.append(scopes[scopes.count - 1].makeScope()) }
      let deepest = scopes[200]
      var values: [Int] = []
      do {
        values.append(try deepest.get(Depth.self))
        injector[Depth.self] = 8
        values.append(deepest[Depth.self])
        try scopes[1].decorate(Int.self) { number, _ in number + 1 }
        values.append(try deepest.get(Int.self))
        _ = try deepest.get(Session.self)
      } catch {
        return nil
      }
      for scope in scopes.reversed() { scope.closeNow() }
      return values
    }
    #expect(values == [7, 8, 2])
  }

  @Test("A scoped service that gets itself in a new scope is refused with the path", arguments: [512 << 10, 8 << 20])
  func factory(stack: Int) throws {
    let injector = injector
    try injector.register(injectable: .scoped { injector in try injector.makeScope("inner").get(Session.self) })
    let error = onThread(stack: stack) { injector.makeScope("outer").outcome(Session.self).failure }
    guard case .depthExceeded(let facts, _) = try #require(error) else { throw try #require(error) }
    #expect(facts.chain.count > 20)
  }

  @Test("A configuration that gets its service in a new scope throws")
  func configuration() throws {
    let made = Counter()
    try injector.register(
      injectable: .scoped {
        made.increment()
        return Session()
      }.configure { _, injector in _ = try injector.makeScope("inner").get(Session.self) })
    let asked = #line - 1
    let error = injector.makeScope("outer").outcome(Session.self).failure
    let inner = "Session → Session → Session → Session → Session → Session → Session → Session"
    #expect(
      error?.description == """
        Session cannot be resolved or registered: its scope is nested too deeply, inside 201 injectors.
          service:        Session
          injector:       nested/outer/\(path(9))/inner/… 182 more …/\(path(8))
          chain:          \(inner) → Session → Session → Session → Session → … 180 more … → \(inner)
          asked at:       StressTests/NestedScopesTests.swift:\(asked)
        To fix this:
          - Find the service that opens a scope and requests itself there. Let it use its own scope.
          - Or open the scopes side by side, from the injector where the work starts, and close each one.
        """)
    #expect(made.value == 200)
  }

  private func path(_ count: Int) -> String { Array(repeating: "inner", count: count).joined(separator: "/") }

  @Test("A configuration that opens each scope in the same injector throws too, also on a small stack")
  func configurationInRoot() throws {
    let (injector, made) = (injector, Counter())
    try injector.register(
      injectable: .scoped {
        made.increment()
        return Session()
      }.configure { [unowned injector] _, _ in _ = try injector.makeScope("beside").get(Session.self) })
    let error = onThread(stack: 512 << 10) { injector.makeScope("outer").outcome(Session.self).failure }
    guard case .depthExceeded(let facts, let depth) = try #require(error) else { throw try #require(error) }
    #expect(facts.chain == Array(repeating: "Session", count: depth))
    #expect(made.value == depth && depth > 10)
  }

  @Test("A loader that loads its service in a new scope throws too", arguments: [false, true])
  func loader(isInRoot: Bool) async throws {
    let (injector, made) = (injector, Counter())
    try injector.register(
      injectable: .scoped { [unowned injector] scope in
        made.increment()
        return try await (isInRoot ? injector : scope).makeScope("inner").load(Session.self)
      })
    let registered = "StressTests/NestedScopesTests.swift:\(#line - 5)"
    let error = await #expect(throws: InjectorError.self) {
      try await injector.makeScope("outer").load(Session.self)
    }
    guard case .depthExceeded(let facts, let depth) = try #require(error) else { throw try #require(error) }
    #expect(facts.chain.count == (isInRoot ? 1_001 : 200))
    #expect(depth == (isInRoot ? 1_001 : 201))
    #expect(made.value == (isInRoot ? 1_000 : 200))
    if !isInRoot { return }
    func names(_ count: Int) -> String { Array(repeating: "Session", count: count).joined(separator: " → ") }
    #expect(
      error?.description == """
        The chain to Session seems to have no end: it repeats a service after 1001 dependencies.
          service:        Session
          injector:       nested/inner
          chain:          \(names(12)) → … 981 more … → \(names(8))
          asked at:       \(place(error))
          registered at:  \(registered)
        To fix this:
          - Find the service that opens a scope and requests itself there. Let it use its own scope.
        """)
  }

  @Test("A scope of a closed injector is closed")
  func ofClosed() throws {
    try injector.register { Session() }
    injector.closeNow()
    let scope = injector.makeScope()
    #expect(scope.isClosed)
    let refused = scope.outcome(Session.self).failure
    #expect(refused?.description == text("nested/scope", "Session", asked: place(refused)))
    let error = #expect(throws: InjectorError.self) {
      try injector.makeScope("request") { try $0.register(injectable: .singleton(Instance())) }
    }
    #expect(error?.description == text("nested/request", "Instance"))
    #expect(throws: InjectorError.self) { try scope.get(Depth.self) }
    scope.closeNow()
  }

  @Test("A scope cannot get a service from a closed injector around it, and the error names that injector")
  func aroundIsClosed() throws {
    try injector.register { Session() }
    let scope = injector.makeScope("outer").makeScope("inner")
    injector.closeNow()
    let refused = scope.outcome(Session.self).failure
    #expect(refused?.description == text("nested/outer/inner", "Session", asked: place(refused)))
    #expect(!scope.isClosed)
  }

  @Test("A scope whose configuration throws is closed, although a caller still holds it")
  func failedConfiguration() throws {
    let captured = Setting<Injector>()
    #expect(throws: Failure()) {
      try injector.makeScope { scope in
        captured.set(scope)
        throw Failure()
      }
    }
    #expect(captured.value?.isClosed == true)
  }

  private func text(_ injector: String, _ service: String, asked: String? = nil) -> String {
    let place = asked.map { "\n  asked at:       \($0)" } ?? ""
    return """
      \(service) cannot be resolved or registered: its parent, nested, is closed.
        service:        \(service)
        injector:       \(injector)
        chain:          \(service)\(place)
      To fix this:
        - Get the services that you need before you close the injector, and keep no object that asks it later.
        - Or create another injector: this one stays closed.
      """
  }
}

extension String {
  fileprivate var headline: String { String(prefix { $0 != "\n" }) }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
