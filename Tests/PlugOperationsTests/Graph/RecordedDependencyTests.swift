import PlugKeys
import TestSupport
import Testing

@testable import Plug
@testable import PlugOperations

private struct Rates: Sendable {}
private struct Visitor: Sendable {}
private struct Clock: Sendable {}

private struct Tariff: Sendable {
  let rates: Rates?
}

private final class Desk: Sendable {
  let rates = Setting<Rates>()
}

private struct Panel: Sendable {
  @Injected var rates: Rates

  init(_ injector: Injector) {
    _rates = Injected(injector: injector)
    _ = rates
  }
}

extension Injector {
  /// The report, whether there are problems or not.
  fileprivate var report: ValidationReport {
    get throws {
      do throws(InjectorError) {
        return try validate()
      } catch .invalid(_, let report) {
        return report
      }
    }
  }

  /// Each problem in one line.
  fileprivate var problems: [String] { get throws { try report.problems.map(\.line) } }
}

extension ValidationReport.Problem {
  fileprivate var line: String { "\(kind): \(subject): \(details.joined(separator: ", "))" }
}

@Suite("In validation, a recorded dependency")
struct RecordedDependencyTests {
  let injector = Injector("shop", allowRewrite: true).recordDependencies()

  @Test("on a service of another injector does not count as missing, however the closure requested it")
  func elsewhere() throws {
    let bank = Injector()
    try bank.register { Rates() }
    try bank.register(Clock.self, taking: Int.self) { _, _ in Clock() }
    try injector.register { Tariff(rates: try bank.get(Rates.self)) }
    try injector.register { Panel(bank) }
    try injector.register(
      as: Desk.self, injectable: .lazySingleton { Desk() }.configure { desk, _ in desk.rates.set(try bank.get()) })
    try injector.register(as: Int.self) { try bank.getAll(Rates.self).count }
    try injector.register(as: Bool.self) {
      _ = try bank.get(Clock.self, with: 1)
      return true
    }
    try injector.decorate(Bool.self, id: "asks") { inner, _ in try bank.getAll(Rates.self).count == 1 && inner }
    _ = (try injector.get(Tariff.self), try injector.get(Panel.self), try injector.get(Desk.self))
    _ = (try injector.get(Int.self), try injector.get(Bool.self))
    #expect(try injector.report.description == "Injector \"shop\" is valid: 5 services.")
    #expect(
      injector.graph().description == """
        Bool (lazySingleton, constructed, decorated by asks)
        Desk (lazySingleton, constructed)
        Int (lazySingleton, constructed)
        Panel (lazySingleton, constructed)
        Tariff (lazySingleton, constructed)
        """)
    try injector.seal()
  }

  @Test("on a service that another injector loads does not count as missing")
  func loadedElsewhere() async throws {
    let bank = Injector()
    try bank.register { Rates() }
    try injector.register(
      as: Tariff.self,
      injectable: .lazySingleton { (_: Injector) async throws in
        async let rates = bank.load(Rates.self)
        return Tariff(rates: try await rates)
      })
    _ = try await injector.load(Tariff.self)
    #expect(try injector.problems == [])
  }

  @Test("on a service of its own type in another injector is not a circle")
  func wrapper() throws {
    let bank = Injector()
    try bank.register { Rates() }
    try injector.register(as: Rates.self) { try bank.get() }
    _ = try injector.get(Rates.self)
    #expect(try injector.problems == [])
  }

  @Test("of a candidate on its own service in another context is not a circle, declared or not")
  func candidate() throws {
    try injector.register(
      PluginPoint<String, Int>("words") {
        Candidate("loud", .factory { try $0.get(String.self, in: 0) + "!" }).when(Rule("is positive") { $0 > 0 })
        Candidate("firm", .factory { try $0.get(String.self, in: 0) + "." }.depends(on: String.self))
          .when(Rule("is negative") { $0 < 0 })
        Candidate("plain", .factory { "hello" })
      })
    #expect(try injector.problems == [])
    #expect(try [1, -1, 0].map { try injector.get(String.self, in: $0) } == ["hello!", "hello.", "hello"])
    #expect(try injector.problems == [])
    try injector.seal()
  }

  @Test("in a scope that the closure opens is no problem, and is drawn if the outer injector registers the service")
  func ownScope() throws {
    try injector.register(injectable: .scoped { Visitor() })
    try injector.register { Rates() }
    try injector.register(as: Int.self) { injector in
      let scope = try injector.makeScope("unit") { try $0.register(injectable: .singleton(Clock())) }
      defer { scope.closeNow() }
      _ = (try scope.get(Visitor.self), try scope.get(Clock.self), try scope.get(Rates.self))
      return 1
    }
    #expect(try injector.get(Int.self) == 1)
    #expect(try injector.problems == [])
    #expect(
      injector.graph().description == """
        Int (lazySingleton, constructed)
          Rates (lazySingleton, constructed)
          Visitor (scoped)
        """)
    try injector.seal()
  }

  @Test("on a service that a scope replaces is not attributed to the outer registration")
  func replaced() throws {
    try injector.register(as: Int.self) { injector in
      let scope = try injector.makeScope { try $0.register(injectable: .singleton(Clock())) }
      return try scope.get(String.self) == "Clock()" ? 1 : 0
    }
    try injector.register(as: Clock.self) { injector in
      _ = try injector.get(Int.self)
      return Clock()
    }
    try injector.register(as: String.self, injectable: .factory { "\(try $0.get(Clock.self))" })
    _ = try injector.get(Clock.self)
    #expect(try injector.problems == [])
  }

  @Test("on a service of an outer injector is looked up there, even if the scope has its own")
  func outer() throws {
    let root = injector
    try root.register(as: Int.self, injectable: .scoped { [root] in "\(try root.get(Rates.self))".count })
    try root.register { Rates() }
    let scope = try root.makeScope { scope in
      try scope.register(as: Rates.self) { injector in
        _ = try injector.get(Int.self)
        return Rates()
      }
    }
    _ = try scope.get(Rates.self)
    #expect(try scope.problems == [])
  }

  @Test("counts only if the run of the closure succeeds")
  func failed() throws {
    let isBroken = Setting<Bool>()
    isBroken.set(true)
    try injector.register { injector -> Tariff in
      if isBroken.value == true {
        _ = try injector.get(Clock.self)
        throw Failure()
      }
      return Tariff(rates: try injector.get(Rates.self))
    }
    try injector.register { Rates() }
    #expect(throws: InjectorError.self) { try injector.get(Tariff.self) }
    #expect(try injector.problems == [])
    isBroken.set(false)
    _ = try injector.get(Tariff.self)
    #expect(try injector.problems == [])
    try injector.unregister(Rates.self)
    #expect(try injector.problems == ["missing: Rates: Tariff"])
  }

  @Test("counts only if the load or the configuration succeeds")
  func failedAsynchronously() async throws {
    try injector.register(
      as: Tariff.self,
      injectable: .lazySingleton { (injector: Injector) async throws in
        async let rates = injector.load(Rates.self)
        return Tariff(rates: try await rates)
      })
    try injector.register(
      as: Desk.self,
      injectable: .lazySingleton { Desk() }.configure { desk, injector in
        desk.rates.set(try injector.get(Rates.self))
      })
    await #expect(throws: InjectorError.self) { try await injector.load(Tariff.self) }
    #expect(throws: InjectorError.self) { try injector.get(Desk.self) }
    #expect(try injector.problems == [])
    try injector.register { Rates() }
    _ = (try await injector.load(Tariff.self), try injector.get(Desk.self))
    try injector.unregister(Rates.self)
    #expect(try injector.problems == ["missing: Rates: Desk, Tariff"])
  }

  @Test("is no problem if the closure ran without a service that is missing")
  func tried() throws {
    try injector.register { Tariff(rates: try? $0.get(Rates.self)) }
    _ = try injector.get(Tariff.self)
    #expect(try injector.validate().description == "Injector \"shop\" is valid: 1 service.")
    try injector.seal()
  }

  @Test("is no problem if the closure ran without a registered service that could not be provided")
  func refused() throws {
    try injector.register(injectable: .scoped { Visitor() })
    try injector.register(
      PluginPoint<Double, Clock>("numbers") { Candidate("one", .singleton(1)) })
    try injector.register(PluginPoint<Float, Injector>("none") { Candidate("one", .singleton(1)).when(.never) })
    try injector.register(as: Int.self) { injector in
      _ = try? injector.get(Visitor.self)
      _ = try? injector.get(Double.self)
      _ = try? injector.get(Float.self)
      return try injector.get(Bool.self) ? 1 : 0
    }
    try injector.register(as: Bool.self) { (try? $0.get(Int.self)) == nil }
    #expect(try injector.get(Int.self) == 1)
    #expect(try injector.problems == [])
  }

  @Test("is required if only one of two requests for the service was optional")
  func both() throws {
    try injector.register { Rates() }
    try injector.register(as: Int.self) { injector in
      _ = injector[Rates.self]
      _ = try injector.get(Rates.self)
      return 1
    }
    _ = try injector.get(Int.self)
    try injector.unregister(Rates.self)
    #expect(try injector.problems == ["missing: Rates: Int"])
  }

  @Test("on a service with arguments counts as missing after the service is unregistered")
  func arguments() throws {
    try injector.register(Clock.self, taking: Int.self) { _, _ in Clock() }
    try injector.register(as: Int.self) { injector in
      _ = try injector.get(Clock.self, with: 1)
      return 1
    }
    _ = try injector.get(Int.self)
    #expect(try injector.problems == [])
    try injector.unregister(Clock.self, taking: Int.self)
    #expect(try injector.problems == ["missing: Clock(Int): Int"])
  }

  @Test("of a scope's decorator is looked up in the scope, which also keeps the decorated instance")
  func decorator() throws {
    try injector.register(as: String.self) { "hello" }
    try injector.register(injectable: .scoped { Visitor() })
    let scope = try injector.makeScope { try $0.register { Clock() } }
    try scope.decorate(String.self, id: "dated") { inner, scope in
      "\(inner), \(try scope.get(Clock.self)) \(try scope.get(Visitor.self))"
    }
    #expect(try scope.get(String.self) == "hello, Clock() Visitor()")
    #expect(try scope.problems == [])
  }

  @Test("of a scoped instance on a service of its scope does not count as missing outside the scope")
  func ofScope() throws {
    try injector.register(as: String.self, injectable: .scoped { "\(try $0.get(Clock.self))" })
    let scope = try injector.makeScope { try $0.register { Clock() } }
    _ = try scope.get(String.self)
    #expect(try injector.problems == [] && scope.problems == [])
  }
}
