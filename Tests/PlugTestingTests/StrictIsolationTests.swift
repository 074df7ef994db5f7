import Foundation
import Plug
import PlugKeys
import PlugTesting
import TestSupport
import Testing

@Suite("Strict isolation", .serialized)
struct StrictIsolationTests {
  @Test("A detached task that reaches an injector itself is reported, with both places")
  func detached() async throws {
    let injector = Injector("strict")
    Shop.setUp(injector)
    let line = #line + 2
    let issues = await issues {
      await withIsolatedInjectors(strict: true) {
        await Task.detached { _ = injector[(any Payments).self] }.value
      }
    }
    #expect(
      issues == [
        """
        Injector("strict") itself was reached instead of the test's copy: this code has lost the test's isolation.
          reached at:     PlugTestingTests/StrictIsolationTests.swift:\(line + 1)
          isolated at:    PlugTestingTests/StrictIsolationTests.swift:\(line)
        To fix this:
          - Use Task { … } instead of Task.detached { … }, so that the work inherits the isolation.
          - Or carry it along: let isolation = TestIsolation.current, then isolation.run { … } where the work runs.
        """
      ])
  }

  @Test("A thread that carries the isolation along, or that uses a copy, is not reported")
  func carried() async throws {
    let injector = try Injector.shop()
    let issues = await issues {
      await withIsolatedInjectors(strict: true) {
        let isolation = TestIsolation.current
        let own = Injector()
        await Task.detached {
          isolation.run { _ = injector.paymentsName }
          own[Theme.self] = "dark"
        }.value
      }
    }
    #expect(issues == [])
  }

  @Test("A test that is not strict reports no code that escapes it")
  func lenient() async throws {
    let injector = try Injector.shop()
    let issues = await issues {
      await withIsolatedInjectors {
        await Task.detached { _ = injector.paymentsName }.value
      }
    }
    #expect(issues == [])
  }

  @Test("Each way to reach an injector is reported where it stands in the code", arguments: Way.allCases)
  func ways(way: Way) async throws {
    let injector = try Injector.shop()
    let issues = await issues {
      await withIsolatedInjectors(strict: true) {
        _ = injector.paymentsName
        await Task.detached { way.use(injector) }.value
      }
    }
    let expected = "  reached at:     PlugTestingTests/StrictIsolationTests.swift:\(Way.line + way.rawValue)"
    #expect(Set(issues.map { $0.split(separator: "\n")[1] }) == [Substring(expected)])
  }

  enum Way: UInt, CaseIterable {
    case get = 1, getAll, subscripted, resolved, resolvedOptional, chosen, property, setProperty, feature, provider,
      registered, scope, injected

    static let line: UInt = #line + 3

    func use(_ injector: Injector) {
      switch self {
      case .get: _ = try? injector.get(Basket.self)
      case .getAll: _ = try? injector.getAll(Basket.self)
      case .subscripted: _ = injector[Basket.self]
      case .resolved: _ = injector.resolve(Basket.self)
      case .resolvedOptional: _ = injector.resolve(Basket?.self)
      case .chosen: _ = try? injector.get((any Search).self, in: Shopper())
      case .property: _ = injector[Theme.self]
      case .setProperty: injector[Theme.self] = "dark"
      case .feature: _ = injector[Clock.self]
      case .provider: _ = injector.basket()
      case .registered: _ = try? injector.register(injectable: .singleton(Shopper()))
      case .scope: _ = injector.makeScope()
      case .injected: _ = Injected<Basket>(injector: injector).wrappedValue
      }
    }
  }

  @Test("A property that has been read before the test is reported where it stands")
  func kept() async throws {
    let injector = try Injector.shop()
    let property = Injected<Basket>(injector: injector)
    let line = #line - 1
    _ = property.wrappedValue
    let issues = await issues {
      await withIsolatedInjectors(strict: true) {
        await Task.detached { _ = property.wrappedValue }.value
      }
    }
    #expect(
      issues.map { $0.split(separator: "\n")[1] } == [
        "  reached at:     PlugTestingTests/StrictIsolationTests.swift:\(line)"
      ]
    )
  }

  @Test("A strict trait reports in the test", .isolated(strict: true))
  func trait() async throws {
    #expect(Shop.sealed.paymentsName == "live")
  }
}
