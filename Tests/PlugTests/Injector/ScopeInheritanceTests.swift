import Plug
import Testing

private final class Log: Sendable {}

@Suite("A scope")
struct ScopeInheritanceTests {
  @Test("that is nested 150 deep is released without recursion")
  func release() {
    var scope: Injector? = Injector()
    for _ in 0..<150 { scope = scope?.makeScope() }
    scope = nil
    #expect(scope == nil)
  }

  @Test("in an activity shares the instances of the activity")
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

  @Test("adds its contributions to the inherited ones")
  func contributions() throws {
    let root = Injector()
    try root.contribute(Int.self, .factory { 1 })
    let scope = root.makeScope()
    try scope.contribute(Int.self, .factory { 2 })
    #expect(try scope.getAll(Int.self) == [1, 2])
    #expect(try scope.get([Int].self) == [1, 2])
    #expect(try root.getAll(Int.self) == [1])
  }

  @Test("adds its contributions to a wired collection")
  func wiredContributions() throws {
    struct Sum: Sendable {
      let numbers: [Int]
      init(numbers: [Int]) { self.numbers = numbers }
    }
    let root = Injector()
    try root.contribute(Int.self, .factory { 1 })
    try root.register(injectable: .scoped(wiring: Sum.init))
    let scope = root.makeScope()
    try scope.contribute(Int.self, .factory { 2 })
    #expect(try scope.get(Sum.self).numbers == [1, 2])
    #expect(try root.makeScope().get(Sum.self).numbers == [1])
    let inner = scope.makeScope()
    try inner.contribute(Int.self, .factory { 3 })
    #expect(try inner.get(Sum.self).numbers == [1, 2, 3])
  }

  @Test("is itself a service that can be got and wired")
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
}
