import Plug
import Synchronization
import TestSupport
import Testing

private protocol Sink: Sendable {}
private struct FileSink: Sink {}

private final class Log: Sendable {
  let sink = Mutex<(any Sink)?>(nil)
  var isReady: Bool { sink.withLock { $0 != nil } }
}

private final class Service: Sendable {
  let wasReady: Bool
  init(_ log: Log) { wasReady = log.isReady }
}

extension Injector {
  fileprivate var answer: Provider<Int> { provide(.factory { 42 }) }
  fileprivate var log: Provider<Log> { provide(.weakSingleton { Log() }) }
  fileprivate var weakAnswer: Provider<Int> { provide(.weakSingleton { 42 }) }
}

@Suite("Names and instances")
struct RegistrationFaultTests {
  @Test("An injector that is closed or released frees its name")
  func names() {
    let name: Injector.Name = "names.app"
    var first: Injector? = Injector(name)
    #expect(Injector[name] === first)
    first?.closeNow()
    let second = Injector(name)
    #expect(Injector[name] === second)
    first = nil
    #expect(Injector[name] === second)
    var third: Injector? = Injector("names.released")
    third = nil
    let fourth = Injector("names.released")
    #expect(Injector["names.released"] === fourth && third == nil)
  }

  @Test(
    "An inner object is configured before an outer one is made from it, in both orders of requests",
    arguments: [false, true])
  func configuration(isLogFirst: Bool) throws {
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton { Log() }.configure { log, injector in
        let sink = try injector.get((any Sink).self)
        log.sink.withLock { $0 = sink }
      })
    try injector.register(as: (any Sink).self) { FileSink() }
    try injector.register { Service(try $0.get()) }
    if isLogFirst { _ = try injector.get(Log.self) }
    #expect(try injector.get(Service.self).wasReady)
  }

  @Test("The error of a missing service names a registration with a tag")
  func nearest() throws {
    let injector = Injector("nearest.tagged")
    try injector.register(tag: "A", injectable: .singleton(1), fileID: "Shop/Main.swift", line: 3)
    let line = #line + 1
    let error = #expect(throws: InjectorError.self) { try injector.get(Int.self) }
    #expect(
      error?.description == """
        get(Int.self) failed: nothing is registered for Int.
          service:        Int
          injector:       nearest.tagged
          chain:          Int
          asked at:       PlugTests/RegistrationFaultTests.swift:\(line)
          nearest:        Int (tag "A"), registered at Shop/Main.swift:3
        To fix this:
          - Register it before you ask for it: try Injector["nearest.tagged"].register(as: Int.self, injectable: …).
          - Or ask for Int (tag "A"), if you meant that.
        """)
  }

  @Test("Scopes that are nested deeply are released without recursion")
  func release() {
    var scope: Injector? = Injector()
    for _ in 0..<150 { scope = scope?.makeScope() }
    scope = nil
    #expect(scope == nil)
  }

  @Test("A property of a scoped object does not keep the scope alive after its first read")
  func properties() throws {
    final class Screen: @unchecked Sendable {
      @Injected var log: Log
      init(_ injector: Injector) { _log = Injected(injector: injector) }
    }
    let root = Injector()
    try root.register { Log() }
    try root.register(injectable: .scoped { Screen($0) })
    weak var known: Injector?
    do {
      let scope = root.makeScope()
      known = scope
      _ = try scope.get(Screen.self).log
    }
    #expect(known == nil)
  }

  @Test("A list that is read while nothing is registered is looked up again")
  func lists() throws {
    final class Screen: @unchecked Sendable {
      @Injected var sinks: [any Sink]
      init(_ injector: Injector) { _sinks = Injected(injector: injector) }
    }
    let root = Injector()
    let screen = Screen(root)
    #expect(screen.sinks.isEmpty)
    try root.contribute((any Sink).self, injectable: .factory { FileSink() })
    #expect(screen.sinks.count == 1)
  }

  @Test("An injector is itself a service that can be got and wired")
  func injectors() throws {
    final class Navigator: Sendable {
      let injector: Injector
      init(injector: Injector) { self.injector = injector }
    }
    let root = Injector()
    try root.register(injectable: .scoped(wiring: Navigator.init))
    let scope = root.makeScope()
    #expect(try scope.get(Navigator.self).injector === scope)
    #expect(try scope.get(Injector.self) === scope)
  }

  @Test("Scopes in an activity share the instances of the activity")
  func activities() throws {
    let root = Injector()
    try root.register(injectable: .scoped(in: "activity") { Log() })
    let activity = root.makeScope("activity")
    let fragments = (0..<2).map { _ in activity.makeScope("fragment") }
    let logs = try fragments.map { try $0.get(Log.self) }
    #expect(logs[0] === logs[1])
    #expect(try activity.get(Log.self) === logs[0])
    let error = #expect(throws: InjectorError.self) { try root.makeScope("request").get(Log.self) }
    #expect(
      error?.description.hasPrefix(
        #"get(Log.self) failed: Log has one instance per scope "activity", and no such scope is open here."#) == true,
      "\(error?.description ?? "")")
  }

  @Test("The contributions of a scope are added to the inherited ones")
  func contributions() throws {
    let root = Injector()
    try root.contribute(Int.self, injectable: .factory { 1 })
    let scope = root.makeScope()
    try scope.contribute(Int.self, injectable: .factory { 2 })
    #expect(try scope.getAll(Int.self) == [1, 2])
    #expect(try scope.get([Int].self) == [1, 2])
    #expect(try root.getAll(Int.self) == [1])
  }

  @Test("The error of a wired parameter names a registration with a tag")
  func nearestOfWiring() throws {
    struct Reader: Sendable { init(number: Int) {} }
    let injector = Injector("shop")
    try injector.register(tag: "A", injectable: .singleton(1), fileID: "Shop/Main.swift", line: 3)
    try injector.register(injectable: .lazySingleton(wiring: Reader.init))
    let error = #expect(throws: InjectorError.self) { try injector.get(Reader.self) }
    #expect(
      error?.description.contains(#"nearest:        Int (tag "A"), registered at Shop/Main.swift:3"#) == true,
      "\(error?.description ?? "")")
  }

  @Test("A service with arguments can be reset")
  func arguments() throws {
    let injector = Injector()
    try injector.register(as: Log.self, taking: Int.self, lifetime: .lazySingleton) { _, _ in Log() }
    let first = try injector.get(Log.self, with: 1)
    #expect(try injector.get(Log.self, with: 1) === first)
    try injector.reset(type: Log.self)
    let second = try injector.get(Log.self, with: 1)
    #expect(second !== first)
    injector.reset()
    #expect(try injector.get(Log.self, with: 1) !== second)
  }

  @Test("A provider can hold its instance weakly, unless it is a value")
  func weakProvider() throws {
    let injector = Injector()
    weak var known: Log?
    do {
      let log = injector.log()
      known = log
      #expect(injector.log() === log)
    }
    #expect(known == nil)
    #expect(throws: InjectorError.self) { try injector.weakAnswer.get() }
  }

  @Test("The contributions of a scope are added to a wired collection")
  func wiredContributions() throws {
    struct Sum: Sendable {
      let numbers: [Int]
      init(numbers: [Int]) { self.numbers = numbers }
    }
    let root = Injector()
    try root.contribute(Int.self, injectable: .factory { 1 })
    try root.register(injectable: .scoped(wiring: Sum.init))
    let scope = root.makeScope()
    try scope.contribute(Int.self, injectable: .factory { 2 })
    #expect(try scope.get(Sum.self).numbers == [1, 2])
    #expect(try root.makeScope().get(Sum.self).numbers == [1])
    let inner = scope.makeScope()
    try inner.contribute(Int.self, injectable: .factory { 3 })
    #expect(try inner.get(Sum.self).numbers == [1, 2, 3])
  }

  @Test("A load whose configuration is refused a service throws that error to every waiter", .timeLimit(.minutes(10)))
  func refusedConfiguration() async throws {
    let injector = Injector()
    try injector.register(injectable: .scoped { FileSink() as any Sink })
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Log()
      }.configure { _, injector in _ = try injector.get((any Sink).self) })
    let refusals = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<3 {
        group.addTask {
          do throws(InjectorError) {
            _ = try await injector.load(Log.self)
            return false
          } catch {
            guard case .captiveDependency = error else { return false }
            return true
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(refusals == [true, true, true])
  }

  @Test("A load returns an instance while another thread resets")
  func loading() async throws {
    let injector = Injector()
    try injector.register(
      injectable: .lazySingleton {
        await Task.yield()
        return Log()
      })
    try injector.register { Service(try $0.get()) }
    await withTaskGroup(of: String?.self) { group in
      for task in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            do {
              if task == 0 {
                injector.reset()
                await Task.yield()
              } else if task == 1 {
                _ = try await injector.load(Service.self)
              } else {
                _ = try await injector.load(Log.self)
              }
            } catch {
              return "\(error)"
            }
          }
          return nil
        }
      }
      for await failure in group { #expect(failure == nil) }
    }
  }
}
