import TestSupport
import Testing

@testable import Plug

/// Checks that the instances of a scope end in reverse order, each exactly once.
private final class RegistrationState: Sendable {
  private struct State {
    var begun = 0
    var open: [Int] = []
    var mistakes = 0
  }

  private let state = Locked(State())

  func begin() -> Int {
    state.withLock { state in
      state.begun += 1
      state.open.append(state.begun)
      return state.begun
    }
  }

  func end(_ number: Int) {
    state.withLock { state in
      if state.open.popLast() != number { state.mistakes += 1 }
    }
  }

  /// Whether `count` instances have begun, and all of them have ended in order.
  func isBalanced(_ count: Int) -> Bool {
    state.withLock { $0.begun == count && $0.open.isEmpty && $0.mistakes == 0 }
  }
}

private final class Entry<Number>: Sendable {
  private let registrationState: RegistrationState
  private let number: Int

  init(_ registrationState: RegistrationState) {
    self.registrationState = registrationState
    number = registrationState.begin()
  }

  deinit { registrationState.end(number) }
}

private enum First {}
private enum Second {}
private enum Third {}

@Suite("Scopes on several threads", .repeatable, .serialized)
struct ScopeRaceTests {
  private func makeServices() throws -> Injector {
    let services = Injector()
    try services.register(as: RegistrationState.self, injectable: .providedByScope)
    try services.register(injectable: .scoped { Entry<First>(try $0.get()) })
    try services.register(
      as: Entry<Second>.self,
      injectable: .scoped { injector in
        _ = try injector.get(Entry<First>.self)
        return Entry(try injector.get())
      })
    try services.register(
      as: Entry<Third>.self,
      injectable: .scoped { injector in
        _ = try injector.get(Entry<Second>.self)
        return Entry(try injector.get())
      })
    return services
  }

  @Test("are opened and released by the thousand, each instance once and in reverse order")
  func comeAndGo() throws {
    let services = try makeServices()
    try services.seal()
    let scopesOfThread = 125
    try race(threads: 8) { _ in
      services
    } body: { services, _ -> Int in
      var balanced = 0
      for round in 0..<scopesOfThread {
        let registrationState = RegistrationState()
        do {
          let scope = try services.makeScope { try $0.register(injectable: .singleton(registrationState)) }
          _ = try scope.get(Entry<Third>.self)
          if round % 2 == 0 { scope.closeNow() }
        } catch {
          return -1
        }
        if registrationState.isBalanced(3) { balanced += 1 }
      }
      return balanced
    } check: { services, balanced in
      #expect(balanced == Array(repeating: scopesOfThread, count: 8))
      #expect(services.state.withLock { $0.kept.isEmpty })
    }
  }

  @Test("return their own registration or throw while they are closed, never the outer one", arguments: [2, 8])
  func closedMeanwhile(threads: Int) throws {
    try race(threads: threads) { _ -> (root: Injector, scope: Injector) in
      let root = Injector()
      try root.register(as: Int.self, injectable: .singleton(1))
      let scope = root.makeScope()
      try scope.register(as: Int.self, injectable: .singleton(2))
      return (root, scope)
    } body: { subject, thread -> [String] in
      let (root, scope) = subject
      if thread == 0 {
        scope.closeNow()
        root.closeNow()
        return []
      }
      var seen: Set<String> = []
      func note<Value>(_ get: () throws(InjectorError) -> Value) {
        do throws(InjectorError) {
          seen.insert("\(try get())")
        } catch {
          if case .closed = error { seen.insert("closed") } else { seen.insert("\(error)") }
        }
      }
      while !seen.contains("closed") || !root.isClosed {
        note { () throws(InjectorError) in try scope.get(Int.self) }
        note { () throws(InjectorError) in try scope.getAll(Int.self) }
        note { () throws(InjectorError) in "root \(try root.get(Int.self))" }
      }
      return seen.subtracting(["2", "[2]", "root 1", "closed"]).sorted()
    } check: { _, outcomes in
      #expect(outcomes == Array(repeating: [], count: threads))
    }
  }

  @Test("that are shared make one instance for all threads", arguments: [2, 8])
  func shared(threads: Int) throws {
    let services = try makeServices()
    try race(threads: threads) { _ -> (Injector, RegistrationState) in
      let registrationState = RegistrationState()
      return (try services.makeScope { try $0.register(injectable: .singleton(registrationState)) }, registrationState)
    } body: { subject, _ in
      (try? subject.0.get(Entry<Third>.self)).map(ObjectIdentifier.init)
    } check: { subject, identifiers in
      #expect(Set(identifiers).count == 1 && !identifiers.contains(nil))
      subject.0.closeNow()
      #expect(subject.1.isBalanced(3))
    }
  }

  @Test("can be closed during requests, and each instance is closed exactly once", arguments: [2, 8])
  func closing(threads: Int) throws {
    let services = Injector()
    let (begun, closed) = (Counter(), Counter())
    try services.register(
      as: Instance.self,
      injectable: .scoped {
        begun.increment()
        return Instance()
      }.onClose { _ in closed.increment() })
    try race(threads: threads) { _ in
      services.makeScope()
    } body: { scope, thread -> Bool in
      if thread == 0 {
        scope.closeNow()
        return true
      }
      switch scope.outcome(Instance.self) {
      case .success, .failure(.closed): return true
      default: return false
      }
    } check: { scope, outcomes in
      #expect(outcomes == Array(repeating: true, count: threads))
      #expect(begun.value == closed.value)
      #expect(throws: InjectorError.self) { try scope.get(Instance.self) }
    }
  }
}
