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
  fileprivate var warnings: [String] { get throws { try report.warnings.map(\.line) } }
}

extension ValidationReport.Problem {
  fileprivate var line: String { "\(kind): \(subject): \(details.joined(separator: ", "))" }
}

@Suite("What a closure has asked for, in validation")
struct RecordedDependencyTests {
  let injector = Injector("shop", allowRewrite: true).recordDependencies()

  @Test("of another injector is nothing that is missing here, however it was asked")
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
    #expect(
      try injector.report
        == ValidationReport(
          injector: "shop", serviceCount: 5, problems: [], warnings: [], opaque: []))
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

  @Test("of another injector, when it is loaded, is nothing that is missing here")
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

  @Test("of the same service elsewhere is no circle")
  func wrapper() throws {
    let bank = Injector()
    try bank.register { Rates() }
    try injector.register(as: Rates.self) { try bank.get() }
    _ = try injector.get(Rates.self)
    #expect(try injector.problems == [])
  }

  @Test("of its own service with a context is no circle, with or without a declaration")
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

  @Test("of a scope that it opens is not captive, not missing and no circle, but an instance kept further out is drawn")
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

  @Test("of a scope that replaces an inherited service is not the outer registration")
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

  @Test("of an outer injector is looked up there, though the asking one has another of its own")
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

  @Test("of a run that failed does not count, and what another run asked for does")
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

  @Test("of a load that failed does not count, nor of a configuration")
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

  @Test("that it has done without is a warning, with what to do")
  func tried() throws {
    try injector.register(
      as: Tariff.self, injectable: .lazySingleton { Tariff(rates: try? $0.get(Rates.self)) },
      fileID: "Shop/Services.swift", line: 1)
    _ = try injector.get(Tariff.self)
    #expect(
      try injector.validate().description == """
        Injector "shop" is valid: 1 service.
        warning: Rates is not registered, and Tariff ran without it.
           at Shop/Services.swift:1
           Register it, if it should be there.
        """)
    try injector.seal()
  }

  @Test("that it has done without because it could not be made is no problem")
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

  @Test("first optionally, and then not, is needed")
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

  @Test("with arguments, and is not registered any more, is missing")
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

  @Test("by a scope's decorator is looked up in the scope, which keeps what it wraps")
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

  @Test("by a scoped service of what a scope registers is not missing further out")
  func ofScope() throws {
    try injector.register(as: String.self, injectable: .scoped { "\(try $0.get(Clock.self))" })
    let scope = try injector.makeScope { try $0.register { Clock() } }
    _ = try scope.get(String.self)
    #expect(try injector.problems == [] && scope.problems == [])
  }
}
