import PlugOperations
import TestSupport
import Testing

@testable import Plug

/// The kinds of instances of a scope: an object, an existential, and values of several sizes.
private struct Small: Sendable, Equatable {
  var text = "a text that needs memory of its own"
}

private struct Large: Sendable, Equatable {
  var numbers = (0..<9).map { $0 }
  var texts = ("a text that needs memory of its own", "b", "c", "d", "e", "f", "g", "h", "i")

  static func == (left: Self, right: Self) -> Bool {
    left.numbers == right.numbers && left.texts.0 == right.texts.0 && left.texts.8 == right.texts.8
  }
}

private struct Huge: Sendable {
  var large = (Large(), Large(), Large())
}

private struct Vector: Sendable {
  var lanes = SIMD16<Int32>(repeating: 7)
}

@Suite("An instance that a scope keeps", .serialized)
struct ScopedInstanceTests {
  @Test("is the same for all requests, whatever its type, until the scope is closed")
  func types() throws {
    let services = try makeSealed { services in
      try services.register(injectable: .scoped(wiring: { () -> Small in Small() }))
      try services.register(injectable: .scoped(wiring: { () -> Large in Large() }))
      try services.register(injectable: .scoped(wiring: { () -> Huge in Huge() }))
      try services.register(injectable: .scoped(wiring: { () -> Vector in Vector() }))
      try services.register(as: (any Networking).self, injectable: .scoped(wiring: { () -> Instance in Instance() }))
      try services.register(as: Instance.self, injectable: .scoped(wiring: { () -> Instance in Instance("own") }))
    }
    for _ in 0..<3 {
      let scope = services.makeScope()
      for _ in 0..<3 {
        #expect(try scope.get(Small.self) == Small() && scope.get(Large.self) == Large())
        #expect(try scope.get(Huge.self).large.2 == Large() && scope.get(Vector.self).lanes[15] == 7)
        #expect(try scope.get((any Networking).self).name == "instance")
        #expect(try scope.get(Instance.self) === scope[Instance.self])
      }
      scope.closeNow()
      #expect(throws: InjectorError.self) { try scope.get(Small.self) }
    }
  }

  @Test("survives a reset by its own factory, and is refused if that closes the scope", arguments: [false, true])
  func closedByFactory(resets: Bool) throws {
    let living = LivingCount()
    let services = try makeSealed { services in
      try services.register(as: (any Networking).self, injectable: .scoped { Tracked(living) })
      try services.register(
        injectable: .scoped { scope in
          _ = try scope.get((any Networking).self)
          if resets { scope.reset() } else { scope.closeNow() }
          return Small()
        })
    }
    for round in 0..<3 {
      let scope = services.makeScope()
      if resets {
        #expect(try scope.get(Small.self) == Small(), "\(round)")
        #expect(try scope.get((any Networking).self).name == "tracked")
      } else {
        #expect(throws: InjectorError.self, "\(round)") { try scope.get(Small.self) }
      }
      scope.closeNow()
      #expect(living.current == 0)
    }
  }

  @Test("stays the same when a graph of the scope materializes its cell", arguments: [3, 20, 50])
  func materialized(count: Int) throws {
    let living = LivingCount()
    let log = Log()
    let services = try makeSealed { services in
      for number in 0..<count {
        try services.register(
          as: (any Networking).self, tag: .init(rawValue: "\(number)"),
          injectable: .scoped(wiring: { () -> Logged in Logged("\(number)", log, living) }))
      }
      try services.register(injectable: .scoped { Small() }.onClose { _ in log.add("small") })
    }
    let numbers = (0..<count).map { Injector.Tag(rawValue: "\($0)") }
    let scope = services.makeScope("request")
    let first = try numbers.map { ObjectIdentifier(try scope.get((any Networking).self, tag: $0) as AnyObject) }
    _ = try scope.get(Small.self)
    _ = scope.graph()
    let second = try numbers.map { ObjectIdentifier(try scope.get((any Networking).self, tag: $0) as AnyObject) }
    #expect(first == second && living.current == count)
    scope.closeNow()
    #expect(log.lines == ["small"] + (0..<count).reversed().map(String.init) && living.current == 0)
  }

  @Test("ends in reverse order also where none is closed, whether few or many", arguments: [2, 50])
  func unclosed(count: Int) throws {
    let (log, living) = (Log(), LivingCount())
    let tags = (0..<count).map { Injector.Tag(rawValue: "\($0)") }
    let services = try makeSealed { services in
      for tag in tags {
        try services.register(
          as: (any Networking).self, tag: tag, injectable: .scoped { Logged(tag.rawValue, log, living) })
      }
    }
    let scope = services.makeScope()
    for tag in tags { _ = try scope.get((any Networking).self, tag: tag) }
    scope.closeNow()
    #expect(log.lines == tags.reversed().map(\.rawValue) && living.current == 0)
  }

  @Test("ends in reverse order among closed ones, whether few or many", arguments: [2, 7, 30, 50])
  func order(count: Int) throws {
    let log = Log()
    let living = LivingCount()
    let services = try makeSealed { services in
      for number in 0..<count {
        let injection = Injection<any Networking>.scoped { scope in
          if number > 0 { _ = try scope.get((any Networking).self, tag: .init(rawValue: "\(number - 1)")) }
          return Logged("\(number)", log, living)
        }
        try services.register(
          as: (any Networking).self, tag: .init(rawValue: "\(number)"),
          injectable: number.isMultiple(of: 3) ? injection.onClose { _ in log.add("closing \(number)") } : injection)
      }
    }
    let expected = (0..<count).reversed().flatMap { number in
      number.isMultiple(of: 3) ? ["closing \(number)", "\(number)"] : ["\(number)"]
    }
    for _ in 0..<3 {
      let scope = services.makeScope()
      _ = try scope.get((any Networking).self, tag: .init(rawValue: "\(count - 1)"))
      let before = log.lines.count
      scope.closeNow()
      #expect(Array(log.lines[before...]) == expected && living.current == 0)
    }
  }
}

/// Records its end.
private final class Logged: Networking {
  let name: String
  private let log: Log
  private let living: LivingCount

  init(_ name: String, _ log: Log, _ living: LivingCount) {
    (self.name, self.log, self.living) = (name, log, living)
    living.begin()
  }

  deinit {
    log.add(name)
    living.end()
  }
}
