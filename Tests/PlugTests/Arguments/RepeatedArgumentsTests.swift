import PlugOperations
import TestSupport
import Testing

@testable import Plug

private final class Report: Sendable {
  let number: Int
  let log: Log
  let page: Page

  init(_ number: Int, _ log: Log, _ page: Page) {
    self.number = number
    self.log = log
    self.page = page
  }
}

private final class Page: Sendable {}

/// Repeated requests with arguments take a shorter path. No caller may see a difference.
@Suite("A repeated request with arguments")
struct RepeatedArgumentsTests {
  let injector = Injector("services")

  @Test("fails with the same message")
  func failure() throws {
    try injector.register(as: String.self) { try $0.get(String.self, tag: "made", with: -1) }
    try injector.register(String.self, tag: "made", taking: Int.self, fileID: "Shop/Main.swift", line: 3) {
      number, _ in
      if number < 0 { throw Failure() }
      return "\(number)"
    }
    for _ in 0..<2 {
      let error = #expect(throws: InjectorError.self) { try injector.get(String.self) }
      #expect(
        error?.description == """
          String(Int) (tag "made") could not be made: the disk is full
            service:        String(Int) (tag "made")
            injector:       services
            chain:          String → String(Int) (tag "made")
            asked at:       \(place(error))
            registered at:  Shop/Main.swift:3
          To fix this:
            - Check the factory, which threw Failure. The next get tries again.
          """)
      #expect(try injector.get(String.self, tag: "made", with: 3) == "3")
    }
  }

  @Test("shares graph instances within the request, and returns configured instances")
  func session() throws {
    try injector.register(injectable: .graph { Page() })
    try injector.register(injectable: .factory { Log() }.configure { log, _ in log.add("configured") })
    try injector.register(Report.self, taking: Int.self) { number, injector in
      let page: Page = try injector.get()
      #expect(try injector.get(Page.self) === page)
      return Report(number, try injector.get(), page)
    }
    let reports = try (0..<3).map { try injector.get(Report.self, with: $0) }
    #expect(reports.map(\.number) == [0, 1, 2])
    #expect(reports.map(\.log.lines) == [["configured"], ["configured"], ["configured"]])
    #expect(Set(reports.map { ObjectIdentifier($0.page) }).count == 3)
  }

  @Test("may need its own service with other arguments, and an endless chain of these is refused")
  func recursion() throws {
    try injector.register(Int.self, taking: Int.self) { number, injector in
      number == 0 ? 0 : try injector.get(Int.self, with: number < 0 ? number : number - 1) + 1
    }
    let line = #line - 3
    for _ in 0..<2 {
      #expect(try injector.get(Int.self, with: 50) == 50)
      let error = #expect(throws: InjectorError.self) { try injector.get(Int.self, with: -1) }
      guard case .depthExceeded(let facts, let depth) = try #require(error) else { throw try #require(error) }
      func names(_ count: Int) -> String { Array(repeating: "Int(Int)", count: count).joined(separator: " → ") }
      #expect(
        error?.description == """
          The chain to Int(Int) is too deep: \(depth) dependencies would overflow the stack.
            service:        Int(Int)
            injector:       services
            chain:          \(names(12)) → … \(facts.chain.count - 20) more … → \(names(8))
            asked at:       \(place(error))
            registered at:  PlugTests/RepeatedArgumentsTests.swift:\(line)
          To fix this:
            - Let Int(Int) request itself with arguments that lead to an end.
            - Or run the first get on a thread with a larger stack.
          """)
    }
  }

  @Test("that leads to a service around it is a cycle with its path")
  func circle() throws {
    try injector.register(
      as: String.self, injectable: .factory { injector in "\(try injector.get(Int.self, with: 1))" },
      fileID: "Shop/Main.swift", line: 3)
    try injector.register(Int.self, taking: Int.self) { number, injector in
      try injector.get(String.self).utf8.count + number
    }
    for _ in 0..<2 {
      let error = #expect(throws: InjectorError.self) { try injector.get(Int.self, with: 1) }
      #expect(
        error?.description == """
          String depends on itself: String → Int(Int) → String.
            service:        String
            injector:       services
            chain:          Int(Int) → String → Int(Int) → String
            asked at:       \(place(error))
            registered at:  Shop/Main.swift:3
          To fix this:
            - Get one of them in a configure closure of the other, which must be a singleton or scoped.
            - Or move the shared dependencies into a third service.
          """)
    }
  }

  @Test("returns instances with later decorators, also in a scope")
  func decorated() throws {
    try injector.register(String.self, taking: Int.self) { number, _ in "\(number)" }
    #expect(try (0..<2).map { try injector.get(String.self, with: $0) } == ["0", "1"])
    let scope = injector.makeScope()
    try scope.decorate(String.self) { inner, _ in "scope \(inner)" }
    #expect(try [scope.get(String.self, with: 2), injector.get(String.self, with: 2)] == ["scope 2", "2"])
    try injector.decorate(String.self) { inner, _ in "root \(inner)" }
    #expect(try injector.get(String.self, with: 3) == "root 3")
  }

  @Test("is traced, and refused when the injector is closed")
  func traced() throws {
    try injector.register(String.self, taking: Int.self) { number, _ in "\(number)" }
    for number in 0..<2 { _ = try injector.get(String.self, with: number) }
    let log = Log()
    injector.tracer = { event in
      if case .constructed = event.kind { log.add("constructed \(event.service)") } else { log.add("\(event)") }
    }
    _ = try injector.get(String.self, with: 2)
    injector.tracer = nil
    #expect(log.lines == ["constructed String(Int)", "resolved String(Int)"])
    injector.closeNow()
    let error = #expect(throws: InjectorError.self) { try injector.get(String.self, with: 3) }
    guard case .closed = try #require(error) else { throw try #require(error) }
  }
}

private struct Boom: Error {}
private final class Circular: Sendable {}

/// A service whose configuration requests the service that is being made around it and cannot be made, inside a service
/// that needs itself with another argument.
@Suite("A service that needs itself with another argument")
struct NestedArgumentsTests {
  let injector = Injector()

  init() throws {
    try injector.register(
      as: Int.self,
      injectable: .factory { injector in
        _ = try injector.get(Circular.self)
        throw Boom()
      })
    try injector.register(
      injectable: .lazySingleton { Circular() }.configure { _, injector in _ = try injector.get(Int.self) })
  }

  /// Expects that the failed request has kept no instance whose configuration was put aside.
  private func expectNothingKept() throws {
    #expect(!Injector.isMaking)
    let error = #expect(throws: InjectorError.self) { try injector.get(Circular.self) }
    guard case .constructionFailed(let facts, let underlying) = try #require(error) else {
      throw try #require(error)
    }
    #expect(underlying is Boom)
    #expect(facts.chain == ["Circular", "Int"])
  }

  @Test("is made, although its inner instance has ignored an error in a circle")
  func innerIgnores() throws {
    try injector.register(String.self, taking: Bool.self) { isOuter, injector in
      if isOuter {
        return (try? injector.get(String.self, with: false)) ?? "outer"
      } else {
        _ = try? injector.get(Int.self)
        return "inner"
      }
    }
    #expect(try injector.get(String.self, with: true) == "inner")
    try expectNothingKept()
  }

  @Test("gets the inner instance after it has ignored an error in a circle")
  func outerIgnores() throws {
    try injector.register(String.self, taking: Bool.self) { isOuter, injector in
      guard isOuter else { return "inner" }
      _ = try? injector.get(Int.self)
      return try "outer with \(injector.get(String.self, with: false))"
    }
    #expect(try injector.get(String.self, with: true) == "outer with inner")
    try expectNothingKept()
  }

  @Test("is captive in an instance that outlives its scope")
  func captive() throws {
    try injector.register(String.self, taking: Bool.self, lifetime: .scoped) { flag, _ in "\(flag)" }
    try injector.register(as: [Bool].self) { [try $0.get(String.self, with: true).isEmpty] }
    let error = #expect(throws: InjectorError.self) { try injector.get([Bool].self) }
    guard case .captiveDependency(_, let path) = try #require(error) else { throw try #require(error) }
    #expect(path == ["Array<Bool> (lazySingleton)", "String(Bool) (scoped)"])
    let other = #expect(throws: InjectorError.self) { try injector.get(String.self, with: true) }
    guard case .scopeRequired = try #require(other) else { throw try #require(other) }
  }
}
