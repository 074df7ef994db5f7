import PlugKeys
import TestSupport
import Testing

@testable import Plug

private final class Connection: Sendable {
  let number: Int
  let closings = Counter()

  init(_ number: Int = 0) {
    self.number = number
  }
}

private enum Line: Feature {
  static func load(in injector: Injector) -> Connection { Connection() }
}

extension Injector {
  fileprivate var connection: Provider<Connection> { provide(.lazySingleton { Connection() }) }
  fileprivate var scopedConnection: Provider<Connection> { provide(.scoped { Connection() }) }
}

@Suite("Instances that are removed under several threads", .repeatable, .serialized)
struct GivingUpRaceTests {
  enum Meanwhile { case removed, replaced, decorated }

  @Test(
    "an instance whose registration is removed or replaced by another thread is closed, once",
    arguments: [
      false, true,
    ])
  func race(isReplaced: Bool) throws {
    try TestSupport.race(threads: 4) { _ -> Injector in
      let injector = Injector(allowRewrite: true)
      try injector.register(injectable: .lazySingleton { Connection() }.onClose { $0.closings.increment() })
      return injector
    } body: { injector, thread -> Connection? in
      if thread > 0 { return try? injector.get(Connection.self) }
      if isReplaced {
        _ = try? injector.register(injectable: .lazySingleton { Connection() }.onClose { $0.closings.increment() })
      } else {
        _ = try? injector.unregister(Connection.self)
      }
      return nil
    } check: { injector, made in
      injector.closeNow()
      let distinct = Dictionary(made.compactMap(\.self).map { (ObjectIdentifier($0), $0) }) { first, _ in first }
      #expect(distinct.values.map(\.closings.value) == Array(repeating: 1, count: distinct.count))
      #expect(distinct.count <= (isReplaced ? 2 : 1))
    }
  }

  @Test(
    "a given instance that another thread removes, replaces or decorates is closed once, when it is released",
    arguments: [[.removed], [.replaced], [.decorated], [.removed, .replaced, .decorated]] as [Set<Meanwhile>])
  func handedInRace(meanwhile: Set<Meanwhile>) throws {
    try TestSupport.race(threads: 8) { _ in
      Injector(allowRewrite: true)
    } body: { injector, thread -> Connection? in
      if thread == 0 || thread == 1 && meanwhile.contains(.replaced) {
        let given = Connection()
        return (try? injector.register(injectable: .singleton(given).onClose { $0.closings.increment() })).map { _ in
          given
        }
      }
      if thread < 4 && meanwhile.contains(.decorated) {
        try? injector.decorate(Connection.self) { inner, _ in Connection(inner.number + 1) }
      } else if meanwhile.contains(.removed) {
        for _ in 0..<20 where (try? injector.unregister(Connection.self)) != nil { break }
      }
      return nil
    } check: { injector, given in
      _ = try? injector.unregister(Connection.self)
      let given = given.compactMap(\.self)
      #expect(given.map(\.closings.value) == Array(repeating: 1, count: given.count))
      injector.closeNow()
      #expect(given.map(\.closings.value) == Array(repeating: 1, count: given.count))
    }
  }

  @Test("A feature or a provider that is reset during requests is loaded again")
  func keys() throws {
    try TestSupport.race(threads: 4) { _ in
      Injector()
    } body: { injector, thread -> [Result<Connection, InjectorError>] in
      if thread > 0 {
        return [
          Result { () throws(InjectorError) in try injector.get(Line.self) },
          Result { () throws(InjectorError) in try injector.connection.get() },
          Result { () throws(InjectorError) in try injector.makeScope().scopedConnection.get() },
        ]
      }
      injector.reset(Line.self)
      try? injector.connection.reset()
      try? injector.scopedConnection.reset()
      return []
    } check: { _, outcomes in
      for outcome in outcomes.joined() { _ = try outcome.get() }
    }
  }

  @Test("A start that fails does not restore registrations that were removed meanwhile")
  func startThatFails() async throws {
    try await Rounds.run { _ in
      let injector = Injector()
      let (isMade, isRemoved) = (Latch(), Latch())
      try injector.register(
        as: Int.self,
        injectable: .lazySingleton {
          _ = try await injector.load(Connection.self)
          isMade.open()
          await isRemoved.wait()
          throw Failure()
        })
      try injector.register(injectable: .lazySingleton { Connection() }.eager())
      try injector.register(tag: "async", injectable: .lazySingleton { () async in Connection() })
      let start = Task { try await injector.start() }
      await isMade.wait()
      try injector.unregister(Connection.self)
      try injector.unregister(Connection.self, tag: "async")
      isRemoved.open()
      await #expect(throws: InjectorError.self) { try await start.value }
      #expect(injector.isRegistered(Connection.self) == false)
      #expect(injector.isRegistered(Connection.self, tag: "async") == false)
    }
  }

  @Test("A start that fails does not restore registrations that are removed at the same time")
  func startRace() async throws {
    try await Rounds.run { _ in
      let injector = Injector()
      for tag in 0..<20 {
        try injector.register(
          tag: Injector.Tag(rawValue: "\(tag)"), injectable: .lazySingleton { () async in Connection(tag) })
      }
      try injector.register(as: Int.self, injectable: .lazySingleton { () async throws -> Int in throw Failure() })
      async let start: Void? = try? injector.start()
      for tag in 0..<20 {
        try injector.unregister(Connection.self, tag: Injector.Tag(rawValue: "\(tag)"))
        await Task.yield()
      }
      _ = await start
      let left = (0..<20).filter { injector.isRegistered(Connection.self, tag: Injector.Tag(rawValue: "\($0)")) }
      #expect(left == [])
    }
  }
}
